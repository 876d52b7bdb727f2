// The built-in issuer of session tokens (decisions.md 3): an EdDSA JWT of 15 minutes, checked strictly (RFC 8725).
// A full check takes 80 to 190 µs and a remembered one 2 µs, so checked tokens are remembered by their hash until they
// expire.

import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { sha256Hex } from '../hash.ts';
import type { PublicSessionJwk, SessionKey } from './keys.ts';
import { createRecent } from './recent.ts';

/** How long an access token lives; `expires_in` of the session answers. */
export const SESSION_TOKEN_SECONDS = 900;

/** Session tokens carry this `typ`, so that no other JWS of the service passes for one (RFC 8725, 3.11). */
const TOKEN_TYPE = 'at+jwt';
/** Ours have about 600 characters; anything far above is refused before it is parsed. */
const MAX_TOKEN_CHARS = 4096;
/** Some 1 KB each, so at most 20 MB; a server with more live sessions pays the full check now and then. */
const REMEMBERED_TOKENS = 20_000;

/** What a token says. Times are Unix seconds; `sub` is the account's id, `sid` the session's. */
export interface SessionClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly sid: string;
  readonly email: string;
  readonly plan?: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

/** For whom a token is issued; `jti` is a fresh uuidv7 from the caller, who owns randomness. */
export interface SessionSubject {
  readonly account_id: string;
  readonly session_id: string;
  readonly email: string;
  readonly plan?: string;
  readonly jti: string;
}

export interface SessionIssuer {
  /** Signs a token with the first key. */
  issue(subject: SessionSubject, now_ms: number): Promise<string>;
  /**
   * The claims of a token that is ours, whole and not expired at `now_ms`; null otherwise. Whether the session was
   * ended since is the caller's question to the store, by `sid` (never by the token's text).
   */
  verify(token: string, now_ms: number): Promise<SessionClaims | null>;
  /** The body of `/.well-known/jwks.json`. */
  jwks(): { keys: readonly PublicSessionJwk[] };
}

/** Makes an issuer over a set of keys, the first of which signs. `issuer` and `audience` are BASE_URL. */
export function createSessionIssuer(keys: readonly SessionKey[], issuer: string, audience: string): SessionIssuer {
  const signer = keys[0];
  if (signer === undefined) throw new Error('a session issuer needs at least one key');
  const byKid = new Map(keys.map((key) => [key.kid, key.publicKey]));
  const remembered = createRecent<SessionClaims>(REMEMBERED_TOKENS);

  async function check(token: string, now_ms: number): Promise<SessionClaims | null> {
    if (!isCanonicalJws(token)) return null;
    try {
      const { payload } = await jwtVerify(token, ({ kid = '' }) => byKid.get(kid) ?? Promise.reject(new Error('kid')), {
        algorithms: ['EdDSA'],
        typ: TOKEN_TYPE,
        issuer,
        audience,
        currentDate: new Date(now_ms),
        requiredClaims: ['sub', 'sid', 'email', 'iat', 'exp', 'jti'],
      });
      return parseClaims(payload);
    } catch {
      // Every reason to refuse a token is the same answer, 401, and none of them is worth telling a stranger.
      return null;
    }
  }

  return {
    issue(subject, now_ms) {
      const iat = Math.floor(now_ms / 1000);
      const { account_id, session_id, email, plan, jti } = subject;
      return new SignJWT({ sid: session_id, email, ...(plan === undefined ? {} : { plan }) })
        .setProtectedHeader({ alg: 'EdDSA', typ: TOKEN_TYPE, kid: signer.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(account_id)
        .setIssuedAt(iat)
        .setExpirationTime(iat + SESSION_TOKEN_SECONDS)
        .setJti(jti)
        .sign(signer.privateKey);
    },
    async verify(token, now_ms) {
      if (token.length > MAX_TOKEN_CHARS) return null;
      const hash = sha256Hex(token);
      const known = remembered.get(hash);
      if (known !== undefined && now_ms < known.exp * 1000) return known;
      remembered.forget(hash);
      const claims = known === undefined ? await check(token, now_ms) : null;
      if (claims !== null) remembered.put(hash, claims);
      return claims;
    },
    jwks: () => ({ keys: keys.map((key) => key.jwk) }),
  };
}

function parseClaims(payload: JWTPayload): SessionClaims | null {
  const { iss, aud, sub, sid, email, plan, iat, exp, jti } = payload;
  if (typeof iss !== 'string' || typeof aud !== 'string' || typeof sub !== 'string' || typeof sid !== 'string')
    return null;
  if (typeof email !== 'string' || typeof jti !== 'string' || iat === undefined || exp === undefined) return null;
  if (plan !== undefined && typeof plan !== 'string') return null;
  return Object.freeze({ iss, aud, sub, sid, email, ...(plan === undefined ? {} : { plan }), iat, exp, jti });
}

// The one spelling in which a compact JWS is taken. Decoders of base64url forgive stray bits, padding and line breaks, so
// without this check one token would have many texts, and vectors that must fail would pass (RFC 7515, 2 and 5.2).

/** Whether a text is three parts of base64url, each exactly as an encoder would have written it. */
export function isCanonicalJws(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
