// An authorization request at another site, to prove an account there: a row that the site's response must match, once, within ten
// minutes, in the session that began it. It stores a hash of the state; the code verifier and the nonce are derived from the state with
// a key of the service, so that no copy of the database has them. And the later checks of the proof.

import { Type } from 'typebox';
import { type Effect, insert, type RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx, Settings } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { AccountHost, Asking } from '../../outbound/account-host/account-host.ts';
import { hmac, sha256, sha256Hex } from '../../outbound/hash.ts';
import { Id } from '../../schemas/wire.ts';
import { secretText } from '../link.ts';
import { remind } from '../reminder.ts';

/** A person signs in elsewhere, maybe for the first time in a while. */
const ASKED_LIFE_MS = 600_000;
/** The deadline for the token and the user, including the wait for a slot. */
export const TRADE_MS = 12_000;

/** The purpose of a request; its rows are not valid for another. */
export type Purpose = 'proof' | 'sign_in';

const secretOf = (what: string, state: string, { secrets }: Pick<Ctx, 'secrets'>): string =>
  Buffer.from(hmac(secrets.code_key, `${what}:${state}`), 'hex').toString('base64url');

/** The secrets of a state, which are derived and not stored. */
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

export function askedId(purpose: Purpose, state: string): string {
  return `asked_${purpose}:${sha256Hex(state)}`;
}

/** How long a proof lasts that cannot be checked again. */
const RENEWAL_MS = 180 * DAY_MS;

export const LOOK_AT_PROOF = { name: 'trust.recheck', input: Type.Object({ claim_id: Id }) } as const;

export function lookLater(claim_id: string, now_ms: number): RemindEffect {
  return remind(LOOK_AT_PROOF, { claim_id }, { at: now_ms + DAY_MS, key: claim_id, now_ms });
}

type Claim = Pick<Row<'claims'>, 'provider' | 'external_id' | 'checked_at' | 'failing_since'>;

/** A site that can be asked about a claim. */
interface LookingSite {
  readonly hosts: readonly string[];
  readonly look: NonNullable<AccountHost['look']>;
}

/** The site that can be asked about a claim, or null. */
export function siteOf({ provider, external_id }: Claim, { hosts }: Pick<FlowPorts, 'hosts'>): LookingSite | null {
  // The id of an account at a further provider contains that provider, and no other site knows it.
  if (external_id.includes('|')) return null;
  const found = Object.values(hosts).find(({ kind, look }) => kind === provider && look !== null);
  return found?.look ? { hosts: found.hosts, look: found.look } : null;
}

/** Whether a claim that no site can be asked about has to be proven again. */
export function isOutdated({ checked_at, failing_since }: Claim, now_ms: number): boolean {
  return failing_since !== null || now_ms - checked_at >= RENEWAL_MS;
}
