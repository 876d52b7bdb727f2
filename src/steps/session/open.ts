// Beginning and refreshing a session: its refresh token, and the answer with the access token. The refresh token names its
// session, so that an already rotated token is recognised.
import { Type } from 'typebox';
import { apply, type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx, ServiceSecrets } from '../../contract/context.ts';
import type { RefreshGrant } from '../../domain/notes.ts';
import { DAY_MS } from '../../domain/time.ts';
import { hmac, sameSecret, sha256Hex } from '../../outbound/hash.ts';
import { OwnLanguage, PlanName } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { Id } from '../../schemas/wire.ts';

/** A session that is not refreshed for 30 days has ended. */
export const SESSION_LIFE_MS = 30 * DAY_MS;

/** A replaced refresh token is answered with the current one for this long: another tab may have sent it at the same
 * time, or its answer was lost (rules.md 3). */
const REPLACED_LIFE_MS = 30_000;

/** The most refreshes of one session in that time that are followed: some for each open tab. Legitimate clients need no
 * more, and each costs an HMAC and a hash. */
const REPLACED_STEPS_MAX = 64;

const SECRET_BYTES = 32;

/** The answer of starting and refreshing; the refresh token itself is only in the HttpOnly cookie. */
export const SessionAnswer = namedObject('Session', 'the token of a signed-in person', {
  access_token: Type.String({ description: 'a JWT; send it as Authorization: Bearer' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds' }),
  account: namedObject('SignedIn', 'the account of the session', {
    id: Id,
    email: Type.String(),
    plan: PlanName,
    language: OwnLanguage,
  }),
});

/** The row of a session that begins now; the account keeps the language of its browser. */
export function beginSession(
  session_id: string,
  { id: account_id, seen_language }: Pick<Row<'accounts'>, 'id' | 'seen_language'>,
  refresh_hash: string,
  { now_ms, language }: Pick<Ctx, 'now_ms' | 'language'>,
): Effect<never>[] {
  const row = { id: session_id, account_id, refresh_hash, created_at: now_ms };
  const seen = language !== null && language !== seen_language;
  return [
    insert('sessions', { ...row, expires_at: now_ms + SESSION_LIFE_MS }),
    ...(seen ? [apply('accounts', account_id, () => ({ seen_language: language }))] : []),
  ];
}

/** A new refresh token of a session, and the hash that is stored. */
export function refreshToken(session_id: string, ctx: Ctx): { token: string; refresh_hash: string } {
  const token = `${session_id}.${Buffer.from(ctx.random(SECRET_BYTES)).toString('base64url')}`;
  return { token, refresh_hash: sha256Hex(token) };
}

/** The one token that takes a refresh token's place, and the hash that is stored. It is made of the token under a key of the
 * service, so that every node answers the same, and a copy of the database gives none away. */
export function successorOf(sent: SentRefresh, ctx: Ctx): { token: string; refresh_hash: string } {
  const secret = Buffer.from(hmac(ctx.secrets.code_key, `refresh-successor:${sent.token}`), 'hex').toString(
    'base64url',
  );
  const token = `${sent.session_id}.${secret}`;
  return { token, refresh_hash: sha256Hex(token) };
}

/** The token that works now, from one that was replaced a moment ago: its successor, or what took that one's place since.
 * All tabs share one cookie, so a late answer must not put an outdated token over a newer one. Null when it is too far off. */
export function currentOf(replaced: SentRefresh, session: Row<'sessions'>, ctx: Ctx): string | null {
  let sent = replaced;
  for (let step = 0; step < REPLACED_STEPS_MAX; step++) {
    const { token, refresh_hash } = successorOf(sent, ctx);
    if (sameSecret(session.refresh_hash, refresh_hash)) return token;
    sent = { ...sent, token };
  }
  return null;
}

export const replacedId = (token: string): string => `refreshed:${sha256Hex(token)}`;

/** Stores that a token was replaced just now, in a row that expires. */
export function markReplaced({ token }: SentRefresh, ctx: Ctx): Effect<never> {
  const row = { id: replacedId(token), hash: '', data: {}, sent_at: ctx.now_ms };
  return insert('codes', { ...row, expires_at: ctx.now_ms + REPLACED_LIFE_MS });
}

export interface SentRefresh {
  readonly token: string;
  readonly session_id: string;
}

/** The refresh token that was sent, with the session that it names; null when there is none of that shape. */
export function sentRefresh(ctx: Ctx): SentRefresh | null {
  const token = ctx.refresh_token;
  const [, session_id] = /^([0-9a-f-]{36})\.[\w-]{43}$/.exec(token ?? '') ?? [];
  return token !== null && session_id !== undefined ? { token, session_id } : null;
}

/** The cookies of a session that is on disk. */
export function refreshGrant(session_id: string, token: string, { secrets }: Pick<Ctx, 'secrets'>): RefreshGrant {
  return { token, page_token: pageToken(session_id, secrets), life_seconds: SESSION_LIFE_MS / 1000 };
}

type Key = Pick<ServiceSecrets, 'code_key'>;

function pageToken(session_id: string, { code_key }: Key): string {
  const secret = Buffer.from(hmac(code_key, `page-session:${session_id}`), 'hex').toString('base64url');
  return `${session_id}.${secret}`;
}

/** The session that a page token names; null for an invalid token. The session's row says whether it is still valid. */
export function sessionOfPage(token: string, key: Key): string | null {
  const [, session_id] = /^([0-9a-f-]{36})\.[\w-]{43}$/.exec(token) ?? [];
  return session_id !== undefined && sameSecret(token, pageToken(session_id, key)) ? session_id : null;
}
