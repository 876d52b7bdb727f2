// The token of a mailed sign-in link: random, with a keyed mark, so that a used or expired link can be told from one that never
// existed, long after its row is deleted.

import type { Ctx } from '../contract/context.ts';
import { type Fault, invalid } from '../domain/fault.ts';
import { DAY_MS } from '../domain/time.ts';
import { hmac, sameSecret, sha256Hex } from '../outbound/hash.ts';

/** A link can be redeemed for a day (interface.md, Limits). */
export const LINK_LIFE_MS = DAY_MS;
/** The same page exchanges the result for a session at once. */
export const EXCHANGE_LIFE_MS = 300_000;

const SECRET_BYTES = 32;
const MARK_LENGTH = 32;

function mark(secret: string, ctx: Ctx): string {
  return hmac(ctx.secrets.code_key, `link-mark:${secret}`).slice(0, MARK_LENGTH);
}

export function secretText(ctx: Ctx): string {
  return Buffer.from(ctx.random(SECRET_BYTES)).toString('base64url');
}

export function mintLink(ctx: Ctx): string {
  const secret = secretText(ctx);
  return `${secret}.${mark(secret, ctx)}`;
}

/** Whether the service ever made this token. */
export function isLink(token: string, ctx: Ctx): boolean {
  const [, secret, marked] = /^([\w-]{43})\.([0-9a-f]{32})$/.exec(token) ?? [];
  return secret !== undefined && marked !== undefined && sameSecret(marked, mark(secret, ctx));
}

/** The row of a token, by what it is for; only its hash is stored. */
export function linkId(kind: 'link' | 'exchange' | 'handoff' | 'set_up', token: string): string {
  return `${kind}:${sha256Hex(token)}`;
}

/** A path of this origin, or a 400: anything that a browser could read as another host is refused. */
export function parseNext(next: string): string | Fault<'invalid_request'> {
  const plain = /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.includes('\\');
  return plain ? next : invalid({ path: 'next', message: 'must be a path of this site, such as /app/inbox' });
}
