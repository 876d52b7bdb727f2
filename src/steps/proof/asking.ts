// A person on the way to another site, to prove their account there: a row that the site's answer has to find again, once, within ten
// minutes, in the session that began it. It keeps a hash of the state; what else only the two of us may know (the code verifier,
// the nonce) is made of the state under a key of the service, so that no copy of the database holds it.
import { type Effect, insert } from '../../../db/effects.ts';
import { codeById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx, Settings } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import type { Asking } from '../../outbound/account-host/account-host.ts';
import { hmac, sha256, sha256Hex } from '../../outbound/hash.ts';
import { secretText } from '../link.ts';

/** A person signs in elsewhere, maybe for the first time in a while. */
const ASKED_LIFE_MS = 600_000;
/** For a token and who it is, the waiting for a turn at the site included. */
export const TRADE_MS = 12_000;

/** What an asking is for: a row of one is none of another. */
type Purpose = 'proof' | 'sign_in';

const STATE = /^[\w-]{43}$/;

const secretOf = (what: string, state: string, { secrets }: Pick<Ctx, 'secrets'>): string =>
  Buffer.from(hmac(secrets.code_key, `${what}:${state}`), 'hex').toString('base64url');

/** What belongs to a state and is stored nowhere. */
export function secretsOfState(state: string, ctx: Pick<Ctx, 'secrets'>): { verifier: string; nonce: string } {
  return { verifier: secretOf('asked-verifier', state, ctx), nonce: secretOf('asked-nonce', state, ctx) };
}

/** Where a site sends people back to; each has an address of its own, so that the answer of one is none of another's. */
export function returnAddress({ app_url }: Pick<Settings, 'app_url'>, provider: string): string {
  return `${app_url}/proofs/${provider}/callback`;
}

/** Where the identity provider sends people back to. */
export function signInAddress({ app_url }: Pick<Settings, 'app_url'>): string {
  return `${app_url}/login/callback`;
}

/** Begins an asking: what the site is asked, and the row. */
export function beginAsking(
  purpose: Purpose,
  redirect_uri: string,
  data: Readonly<Record<string, string>>,
  ctx: Ctx,
): { asking: Asking; expires_at: number; effect: Effect<never> } {
  const state = secretText(ctx);
  const { verifier, nonce } = secretsOfState(state, ctx);
  const challenge = Buffer.from(sha256(Buffer.from(verifier))).toString('base64url');
  const expires_at = ctx.now_ms + ASKED_LIFE_MS;
  const row = { id: askedId(purpose, state), hash: '', data, sent_at: ctx.now_ms, expires_at };
  return { asking: { redirect_uri, state, challenge, nonce }, expires_at, effect: insert('codes', row) };
}

function askedId(purpose: Purpose, state: string): string {
  return `asked_${purpose}:${sha256Hex(state)}`;
}

/** The row of a state, while it stands. */
export async function readAsked(
  read: Read,
  purpose: Purpose,
  state: string,
  now_ms: number,
): Promise<Row<'codes'> | Fault<'gone'>> {
  const row = STATE.test(state) ? await read(codeById, { id: askedId(purpose, state) }) : null;
  return row && row.expires_at > now_ms ? row : fault('gone');
}
