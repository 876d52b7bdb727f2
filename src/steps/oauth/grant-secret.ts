// The secrets of a grant that a program holds: its code, which is random and stored as a hash, and its refresh tokens, which are
// numbered and authenticated by a key of the service. So a replaced token is recognised, and a grant's id alone can neither
// impersonate its holder nor end it.
import type { Ctx, ServiceSecrets } from '../../contract/context.ts';
import { hmac, sameSecret, sha256Hex } from '../../outbound/hash.ts';

const SECRET_BYTES = 32;
const CODE = /^([\da-f-]{36})\.[\w-]{43}$/;
const REFRESH = /^([\da-f-]{36})\.(\d{1,9})\.[\w-]{43}$/;

/** A new code of a grant, and the hash that is stored. */
export function grantCode(grant_id: string, ctx: Pick<Ctx, 'random'>): { code: string; code_hash: string } {
  const code = `${grant_id}.${Buffer.from(ctx.random(SECRET_BYTES)).toString('base64url')}`;
  return { code, code_hash: sha256Hex(code) };
}

/** The grant named by a code; null for an invalid one. */
export function grantOfCode(code: string): string | null {
  return CODE.exec(code)?.[1] ?? null;
}

/** The n-th refresh token of a grant. */
export function refreshToken(
  grant_id: string,
  rotation: number,
  { code_key }: Pick<ServiceSecrets, 'code_key'>,
): string {
  const seal = Buffer.from(hmac(code_key, `grant-refresh:${grant_id}:${rotation}`), 'hex').toString('base64url');
  return `${grant_id}.${rotation}.${seal}`;
}

/** The grant and number of a refresh token; null for an invalid one. */
export function grantOfRefresh(
  token: string,
  secrets: Pick<ServiceSecrets, 'code_key'>,
): { readonly grant_id: string; readonly rotation: number } | null {
  const [, grant_id, number] = REFRESH.exec(token) ?? [];
  if (grant_id === undefined) return null;
  const rotation = Number(number);
  return sameSecret(token, refreshToken(grant_id, rotation, secrets)) ? { grant_id, rotation } : null;
}
