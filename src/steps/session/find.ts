// Reads for signing in, by a person or a program: codes, links, grants, refresh tokens, and the state of an agent's key pair.

import { agentById, agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountByEmail, accountById, codeById, grantById, keyById } from '../../../db/queries/identity.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { HANDOFF_PURPOSES, type HandoffPurpose } from '../../domain/agent/handoff.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { domainLimit, windowOf } from '../../domain/identity/code.ts';
import { grantStands, parseUserCode } from '../../domain/identity/grant.ts';
import { joinsUninvited } from '../../domain/identity/join.ts';
import type { GuardRow } from '../../domain/identity/rate.ts';
import { scopesFor } from '../../domain/identity/scope.ts';
import { languageFor } from '../../domain/language.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import type { Notes } from '../../domain/notes.ts';
import { sameSecret, sha256Hex } from '../../outbound/hash.ts';
import type { CodePurpose } from '../../outbound/mailer/words/en.ts';
import { SESSION_TOKEN_SECONDS } from '../../outbound/session/issuer.ts';
import { readInvitation } from '../account/invited.ts';
import { markId } from '../account/revoked.ts';
import { grantId, type PolledGrant, type TypedGrant, typedId } from '../device/grant.ts';
import type { Handoff } from '../handoff/link.ts';
import type { Agent, PairWorth } from '../key.ts';
import { isLink, linkId } from '../link.ts';
import { askedId, type Purpose } from '../proof/asking.ts';
import { type Addressee, type AskedCode, codeId, isCounted } from './code.ts';
import { refreshGrant, replacedId, type SentRefresh } from './open.ts';

/** Reads what bounds the codes to an address. */
export async function readAddressee(read: Read, email: string, ctx: Ctx): Promise<Addressee> {
  return addresseeOf(read, email, await read(accountByEmail, { email }), ctx);
}

async function addresseeOf(read: Read, email: string, known: Row<'accounts'> | null, ctx: Ctx): Promise<Addressee> {
  const language = languageFor(known, ctx.language);
  if (known !== null || !isCounted(ctx)) return { email, language, domain: null, silent: false };
  const domain = domainLimit(email);
  const counted = await read(counterById, { id: windowOf(domain, ctx.now_ms).id });
  return { email, language, domain, silent: (counted?.n ?? 0) >= domain.limit };
}

/** The same of an address that may get an account by the code: one that may not join is sent nothing. */
export async function readNewcomer(read: Read, email: string, ctx: Ctx): Promise<Addressee> {
  const [known, invitation] = await Promise.all([read(accountByEmail, { email }), readInvitation(read, email, ctx)]);
  const to = await addresseeOf(read, email, known, ctx);
  const joins = known !== null || invitation !== null || joinsUninvited(ctx.settings.joining, email);
  return joins ? to : { ...to, silent: true };
}

/** Reads for the start of signup, login or session: the recipient of its code, and the previous code. */
export async function readAsked(read: Read, purpose: CodePurpose, email: string, ctx: Ctx): Promise<AskedCode> {
  const address = parseEmail(email);
  if (isFault(address)) return address;
  const [to, code] = await Promise.all([
    readNewcomer(read, address, ctx),
    read(codeById, { id: codeId(purpose, address) }),
  ]);
  return { to, code };
}

// Reads for the last step of signup and login: the code mailed to an address, and its account.

interface Proof {
  /** As it is compared and stored, or why the given text is none. */
  readonly address: string | Fault<'invalid_request'>;
  readonly code: Row<'codes'> | null;
  readonly account: Row<'accounts'> | null;
}

/** The rows that `checkCode` and the operation after it decide on; both absent when the address is none. */
export async function readProof(read: Read, purpose: CodePurpose, email: string): Promise<Proof> {
  const address = parseEmail(email);
  if (isFault(address)) return { address, code: null, account: null };
  const [code, account] = await Promise.all([
    read(codeById, { id: codeId(purpose, address) }),
    read(accountByEmail, { email: address }),
  ]);
  return { address, code: await stillWorth(read, code, account), account };
}

/** A mailed code; null when its account has revoked access since. A code of the same millisecond stays valid: it may have been asked
 * for afterwards. An address without an account makes the same reads, so that timing reveals nothing. */
export async function stillWorth(
  read: Read,
  code: Row<'codes'> | null,
  account: Row<'accounts'> | null,
): Promise<Row<'codes'> | null> {
  const mark = code && (await readRevoked(read, account?.id ?? code.id));
  return mark && code.sent_at < mark.sent_at ? null : code;
}

const STATE = /^[\w-]{43}$/;

/** The row of a state, if it is still valid. */
export async function readAskedProof(
  read: Read,
  purpose: Purpose,
  state: string,
  now_ms: number,
): Promise<Row<'codes'> | Fault<'gone'>> {
  const row = STATE.test(state) ? await read(codeById, { id: askedId(purpose, state) }) : null;
  return row && row.expires_at > now_ms ? row : fault('gone');
}

/** The grant of a typed user code; null when unknown or expired. */
export async function readTyped(read: Read, typed: string, ctx: Ctx): Promise<TypedGrant | null> {
  const user_code = parseUserCode(typed);
  const way = user_code === null ? null : await read(codeById, { id: typedId(user_code, ctx) });
  const grant = way && (await read(codeById, { id: way.data['grant'] ?? '' }));
  if (!way || !grant || grant.expires_at <= ctx.now_ms || grant.data['state'] !== 'pending') return null;
  return { grant, typed: way };
}

export async function readPolled(read: Read, device_code: string): Promise<PolledGrant> {
  const grant = await read(codeById, { id: grantId(device_code) });
  const by = grant?.data['account_id'];
  if (by === undefined) return { grant, account: null, ended: false };
  const [account, ended] = await Promise.all([
    read(accountById, { id: by }),
    revokedSince(read, by, Number(grant?.data['approved_at'])),
  ]);
  return { grant, account, ended };
}

const HANDOFFS: ReadonlySet<string> = new Set(HANDOFF_PURPOSES);

/** Finds it: 404 for what was never a link, 410 for one that was used or has expired. */
export async function readHandoff(read: Read, token: string, ctx: Ctx): Promise<Handoff | Fault<'not_found' | 'gone'>> {
  if (!isLink(token, ctx)) return fault('not_found');
  const row = await read(codeById, { id: linkId('handoff', token) });
  const purpose = row?.data['purpose'] ?? '';
  if (!row || row.expires_at <= ctx.now_ms || !HANDOFFS.has(purpose)) return fault('gone');
  // Its person has revoked access since.
  if (await revokedSince(read, row.data['account_id'] ?? '', row.sent_at)) return fault('gone');
  const agent_id = row.data['agent_id'] ?? '';
  const agent = agent_id === '' ? null : await read(agentById, { id: agent_id });
  // The agent may have been deactivated or moved to another account.
  if (agent_id !== '' && (!agent || agent.deactivated_at !== null || agent.account_id !== row.data['account_id'])) {
    return fault('gone');
  }
  return { row, purpose: purpose as HandoffPurpose, agent };
}

export function readRevoked(read: Read, account_id: string): Promise<Row<'codes'> | null> {
  return read(codeById, { id: markId(account_id) });
}

/** Whether what was granted at a time was ended since. */
export async function revokedSince(read: Read, account_id: string, granted_at: number): Promise<boolean> {
  const mark = await readRevoked(read, account_id);
  return mark !== null && granted_at <= mark.sent_at;
}

/** The state of a session's refresh token: current, replaced a moment ago, or spent, which no legitimate client
 * still holds. */
export async function refreshStanding(
  read: Read,
  session: Row<'sessions'>,
  { token }: SentRefresh,
  ctx: Ctx,
): Promise<'current' | 'replaced' | 'spent'> {
  if (sameSecret(session.refresh_hash, sha256Hex(token))) return 'current';
  // Read after the session: both are written in one commit.
  const replaced = await read.peek(codeById, { id: replacedId(token) });
  return replaced !== null && replaced.expires_at > ctx.now_ms ? 'replaced' : 'spent';
}

/** Whose session it is. */
export type SignedIn = Pick<Row<'accounts'>, 'id' | 'plan' | 'language'> & { readonly email: string };

/** The answer of a session that is on disk: a fresh access token, and the refresh token beside it. */
export async function sessionAnswer(
  account: SignedIn,
  session_id: string,
  token: string,
  ctx: Ctx,
  { sessions }: Pick<FlowPorts, 'sessions'>,
): Promise<{
  reply: {
    access_token: string;
    token_type: 'Bearer';
    expires_in: number;
    account: SignedIn;
  };
  notes: Notes;
}> {
  const { id, email, plan, language } = account;
  const access_token = await sessions.issue({ account_id: id, session_id, email, plan, jti: ctx.id() }, ctx.now_ms);
  return {
    reply: {
      access_token,
      token_type: 'Bearer',
      expires_in: SESSION_TOKEN_SECONDS,
      account: { id, email, plan, language },
    },
    notes: { refresh: refreshGrant(session_id, token, ctx) },
  };
}

type Paired = Pick<Agent, 'account_id' | 'public_key' | 'key_pair' | 'provisional'>;

/** The current rights of tokens by the agent's key pair; null when it gives none. */
export async function readPairWorth(read: Read, agent: Paired, now_ms: number): Promise<PairWorth | null> {
  const { key_pair, account_id } = agent;
  if (agent.public_key === null || key_pair === null) return null;
  const { by, by_id: id, scopes } = key_pair;
  const may = scopesFor(agent.provisional === 1).filter((scope) => scopes?.includes(scope) ?? true);
  if (by === 'sessions') return { scopes: may, budget: null, ends_at: Number.POSITIVE_INFINITY, under: null };
  if (by === 'oauth_grants') {
    const grant = await read(grantById, { id });
    if (!grant || !grantStands(grant, now_ms) || grant.account_id !== account_id) return null;
    return worth(may, { ...grant, budget: null }, { table: by, id, version: grant.version });
  }
  const key = await read(keyById, { id });
  if (!key || key.revoked_at !== null || key.expires_at <= now_ms || key.account_id !== account_id) return null;
  return worth(may, key, { table: by, id, version: key.version });
}

function worth(
  may: readonly string[],
  { scopes, budget, expires_at }: Pick<Row<'api_keys'>, 'scopes' | 'budget' | 'expires_at'>,
  under: GuardRow,
): PairWorth {
  return { scopes: may.filter((scope) => scopes.includes(scope)), budget, ends_at: expires_at, under };
}

/** The agents of an account whose pair one of these registered. */
export async function pairedBy(read: Read, account_id: string, ids: readonly string[]): Promise<Agent[]> {
  const agents = await read(agentsOfAccount, { account_id });
  return agents.filter(({ key_pair }) => key_pair !== null && ids.includes(key_pair.by_id));
}

/** A key, and those that took its place by renewal, each after the one before. */
export async function* keysSince(read: Read, id: string): AsyncGenerator<Row<'api_keys'>> {
  for (let next: string | null = id; next !== null; ) {
    const key: Row<'api_keys'> | null = await read(keyById, { id: next });
    if (key) yield key;
    next = key?.successor_id ?? null;
  }
}

/** Whether it is in force. */
export function isInForce({ revoked_at, expires_at }: Row<'api_keys'>, now_ms: number): boolean {
  return revoked_at === null && expires_at > now_ms;
}
