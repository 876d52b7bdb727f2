// A device grant (RFC 8628) and its steps: begun, decided by a person, fetched once. It has two rows in the `codes` table: the
// grant under the hash of its device code, and, until the decision, a pointer to it under the hash of the user code.
import { type Effect, insert, patch, remove } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import {
  beginLimits,
  DEVICE_LIFE_MS,
  guessLimits,
  mintUserCode,
  POLL_SECONDS,
  SLOW_DOWN_SECONDS,
  shownUserCode,
} from '../../domain/identity/grant.ts';
import { hmac, sha256Hex } from '../../outbound/hash.ts';
import { type Minted, mintApiKey } from '../key.ts';
import { secretText } from '../link.ts';
import { sendCounters } from '../session/code.ts';

const USER_CODE_BYTES = 16;
const TOO_MANY = 'Too many codes were tried; wait before trying another.';
const TOO_MANY_BEGUN = 'Too many sign-ins by code were started here; wait before starting another.';

type Grant = Row<'codes'>;

export const grantId = (device_code: string): string => `device:${sha256Hex(device_code)}`;
export const typedId = (user_code: string, { secrets }: Pick<Ctx, 'secrets'>): string =>
  `user_code:${hmac(secrets.code_key, `user-code:${user_code}`)}`;

/** What a program is told when a grant begins. */
interface BegunGrant {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in: number;
  readonly interval: number;
}

export function beginGrant(
  { client_name, scopes }: { client_name: string; scopes: readonly string[] },
  ctx: Ctx,
): { reply: BegunGrant; effects: Effect<'rate_limited' | 'conflict'>[] } {
  const device_code = secretText(ctx);
  const user_code = mintUserCode(ctx.random(USER_CODE_BYTES));
  const life = { hash: '', sent_at: ctx.now_ms, expires_at: ctx.now_ms + DEVICE_LIFE_MS };
  const id = grantId(device_code);
  const data = { client_name, scopes: scopes.join(' '), state: 'pending', interval: String(POLL_SECONDS) };
  return {
    reply: {
      device_code,
      user_code: shownUserCode(user_code),
      verification_uri: `${ctx.settings.app_url}/device`,
      expires_in: DEVICE_LIFE_MS / 1000,
      interval: POLL_SECONDS,
    },
    effects: [
      ...sendCounters(beginLimits(ctx.ip), ctx, TOO_MANY_BEGUN),
      insert('codes', { id, data, ...life }),
      insert('codes', { id: typedId(user_code, ctx), data: { grant: id }, ...life }, fault('conflict')),
    ],
  };
}

/** A grant that waits for a decision, by the code that a person typed. */
export interface TypedGrant {
  readonly grant: Grant;
  readonly typed: Row<'codes'>;
}

/** The counters of every try, successful or not. */
export function guessCounters(ctx: Ctx): Effect<'rate_limited'>[] {
  return sendCounters(guessLimits(ctx.account_id, ctx.ip), ctx, TOO_MANY);
}

/** The refusal of an unknown user code. */
export const NO_SUCH_CODE: Fault<'not_found'> = fault(
  'not_found',
  'No program waits with that code; it is wrong, already decided, or older than fifteen minutes.',
);

/** Stores what a person decided; the next poll returns it. */
export function decideGrant(
  { grant, typed }: TypedGrant,
  by: { readonly account_id: string; readonly agent_id: string | null } | null,
  { now_ms }: Pick<Ctx, 'now_ms'>,
): Effect<never>[] {
  const { data } = grant;
  const decided = by
    ? {
        ...data,
        state: 'approved',
        account_id: by.account_id,
        agent_id: by.agent_id ?? '',
        approved_at: String(now_ms),
      }
    : { ...data, state: 'denied' };
  return [patch('codes', grant, { data: decided }), remove('codes', typed)];
}

export interface PolledGrant {
  readonly grant: Grant | null;
  /** The account that approved it. */
  readonly account: Row<'accounts'> | null;
  /** Whether its person has revoked all access since then. */
  readonly ended: boolean;
}

/** How a poll ends that brings no key. */
export type PollRefusal = Fault<'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token'>;

/** How a poll ends: a key, which is given once, or why there is none. */
type Polled =
  | { readonly key: Minted; readonly effects: Effect<never>[] }
  | (PollRefusal & { readonly effects?: Effect<never>[] });

function pending(grant: Grant, now_ms: number): Polled {
  const { data } = grant;
  const interval = Number(data['interval']);
  const polled_at = String(now_ms);
  if (now_ms - Number(data['polled_at'] ?? 0) >= 1000 * interval) {
    return { ...fault('authorization_pending'), effects: [patch('codes', grant, { data: { ...data, polled_at } })] };
  }
  const slower = interval + SLOW_DOWN_SECONDS;
  const told = { ...data, polled_at, interval: String(slower) };
  const refusal = fault('slow_down', `Wait ${slower} seconds between two polls.`, { interval: slower });
  return { ...refusal, effects: [patch('codes', grant, { data: told })] };
}

export function decidePoll({ grant, account, ended }: PolledGrant, ctx: Ctx): Polled {
  if (!grant || grant.expires_at <= ctx.now_ms) return fault('expired_token');
  const { state, client_name = '', scopes = '', agent_id = '' } = grant.data;
  if (state === 'pending') return pending(grant, ctx.now_ms);
  if (state === 'denied' || ended || !account || account.deleted_at !== null || account.suspended_at !== null)
    return fault('access_denied');
  const key = mintApiKey(ctx, {
    account_id: account.id,
    agent_id: agent_id === '' ? null : agent_id,
    name: client_name === '' ? 'device' : client_name,
    kind: 'signup',
    scopes: scopes.split(' ').filter(Boolean),
  });
  return { key, effects: [remove('codes', grant), ...key.effects] };
}
