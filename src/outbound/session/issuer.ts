// The built-in issuer of access tokens: of sessions (rules.md 3), of agents that asked with their own key (rules.md 10), and
// of programs with a person's grant. Each is an EdDSA JWT, verified strictly (RFC 8725); their claims tell them apart: a session's
// has `sid`, the others have `client_id`, a program's also `grant_id`, and none has more.
// Verification takes 80 to 190 µs and a cached result 2 µs, so verified tokens are cached by their hash until they expire.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { sha256Hex } from '../hash.ts';

// The Ed25519 keys that sign session tokens and cards, read from a JWK set (RFC 8037). Keys are named by their thumbprint
// (RFC 7638), so the same key has the same name on every node and after every restart.

/** The public key in `/.well-known/jwks.json`. */
export interface PublicSessionJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

export interface SessionKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublicSessionJwk;
}

/**
 * Reads `{keys: [JWK, …]}` of Ed25519 private keys. To rotate: put a new key first, keep the old one behind it until
 * the last token that it signed has expired, then remove it. Throws an Error that names `file` when the text is not such
 * a set.
 */
export async function parseSessionKeys(text: string, file = 'session-key.json'): Promise<readonly SessionKey[]> {
  const keys = await Promise.all(jwksOf(text, file).map((jwk) => sessionKey(jwk, file)));
  if (keys.length === 0) throw new Error(`${file}: the set holds no key`);
  return keys;
}

function jwksOf(text: string, file: string): unknown[] {
  try {
    const set: unknown = JSON.parse(text);
    if (typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys)) return set.keys;
  } catch {
    // Invalid JSON gets the same error as another shape, which must not contain key material.
  }
  throw new Error(`${file}: it must be a JWK set, {"keys": [...]}`);
}

async function sessionKey(jwk: unknown, file: string): Promise<SessionKey> {
  const privateKey = privateKeyOf(jwk, file);
  const publicKey = createPublicKey(privateKey);
  const { x } = publicKey.export({ format: 'jwk' });
  if (privateKey.asymmetricKeyType !== 'ed25519' || x === undefined) {
    throw new Error(`${file}: every key must be an Ed25519 private key`);
  }
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return { kid, privateKey, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } };
}

function privateKeyOf(jwk: unknown, file: string): KeyObject {
  try {
    return createPrivateKey({ key: Object(jwk), format: 'jwk' });
  } catch {
    throw new Error(`${file}: a key in it cannot be read`);
  }
}

// An LRU cache: when it is full, the least recently used entry is evicted.

interface Recent<V> {
  /** The value of a key, which counts as a use; undefined when it is not cached. */
  get(key: string): V | undefined;
  put(key: string, value: V): void;
  forget(key: string): void;
}

/** Caches at most `limit` entries. */
export function createRecent<V>(limit: number): Recent<V> {
  // A Map keeps insertion order; a used entry is inserted again, so the first entry is the least recently used.
  const entries = new Map<string, V>();
  const put = (key: string, value: V): void => {
    entries.delete(key);
    entries.set(key, value);
    const stalest = entries.keys().next().value;
    if (entries.size > limit && stalest !== undefined) entries.delete(stalest);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    put,
    forget: (key) => void entries.delete(key),
  };
}

/** How long an access token lives; `expires_in` of the session answers. */
export const SESSION_TOKEN_SECONDS = 900;

/** How long an access token of an agent or a program lives (rules.md 10). */
export const CLIENT_TOKEN_SECONDS = 3600;

/** Access tokens carry this `typ`, so that no other JWS of the service passes for one (RFC 8725, 3.11; RFC 9068, 2.1). */
const TOKEN_TYPE = 'at+jwt';
/** Ours have about 600 characters; much longer ones are refused before they are parsed. */
const MAX_TOKEN_CHARS = 4096;
/** Some 1 KB each, so at most 20 MB; a server with more live sessions verifies some tokens again. */
const REMEMBERED_TOKENS = 20_000;

/** A session token's claims. Times are Unix seconds; `sub` is the account's id, `sid` the session's. */
interface SessionClaims {
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

/** An agent token's claims. `sub` is the agent's id, `resource` the path under the issuer that it was issued for. */
export interface AgentClaims {
  readonly sub: string;
  readonly client_id: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** Of the registered key that asked for it. */
  readonly fingerprint: string;
  readonly exp: number;
  readonly jti: string;
}

/** The agent and purpose of a token. */
type AgentSubject = Omit<AgentClaims, 'exp'>;

/** A program token's claims. `sub` is the id of the account whose person granted it. */
export interface GrantClaims {
  readonly sub: string;
  readonly client_id: string;
  readonly grant_id: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly exp: number;
  readonly jti: string;
}

/** The grant and purpose of a token. */
type GrantSubject = Omit<GrantClaims, 'exp'>;

/** The claims of any token. */
type TokenClaims = SessionClaims | AgentClaims | GrantClaims;

/** The subject of a token; `jti` is a new uuidv7 from the caller, which owns randomness. */
interface SessionSubject {
  readonly account_id: string;
  readonly session_id: string;
  readonly email: string;
  readonly plan?: string;
  readonly jti: string;
}

export interface SessionIssuer {
  /** Signs a token with the first key. */
  issue(subject: SessionSubject, now_ms: number): Promise<string>;
  issueFor(subject: AgentSubject, now_ms: number): Promise<string>;
  issueUnder(subject: GrantSubject, now_ms: number): Promise<string>;
  /**
   * The claims of a valid token of ours that has not expired at `now_ms`; null otherwise. The caller asks the store, by `sid`
   * (never by the token's text), whether the session, agent or grant is still valid, and checks that the token is for the
   * requested address.
   */
  verify(token: string, now_ms: number): Promise<TokenClaims | null>;
  /** The body of `/.well-known/jwks.json`. */
  jwks(): { keys: readonly PublicSessionJwk[] };
}

/** Signs a token with a life in seconds. */
function signed({ kid, privateKey }: SessionKey, claims: JWTPayload, seconds: number, now_ms: number): Promise<string> {
  const iat = Math.floor(now_ms / 1000);
  return new SignJWT({ ...claims, iat, exp: iat + seconds })
    .setProtectedHeader({ alg: 'EdDSA', typ: TOKEN_TYPE, kid })
    .sign(privateKey);
}

/** Makes an issuer over a set of keys, the first of which signs. `issuer` and `audience` are BASE_URL. */
export function createSessionIssuer(keys: readonly SessionKey[], issuer: string, audience: string): SessionIssuer {
  const signer = keys[0];
  if (signer === undefined) throw new Error('a session issuer needs at least one key');
  const byKid = new Map(keys.map((key) => [key.kid, key.publicKey]));
  const remembered = createRecent<TokenClaims>(REMEMBERED_TOKENS);

  async function check(token: string, now_ms: number): Promise<TokenClaims | null> {
    if (!isCanonicalJws(token)) return null;
    try {
      const { payload } = await jwtVerify(token, ({ kid = '' }) => byKid.get(kid) ?? Promise.reject(new Error('kid')), {
        algorithms: ['EdDSA'],
        typ: TOKEN_TYPE,
        issuer,
        currentDate: new Date(now_ms),
        requiredClaims: ['aud', 'sub', 'iat', 'exp', 'jti'],
      });
      if ('grant_id' in payload) return parseGrant(payload, issuer);
      return 'client_id' in payload ? parseAgent(payload, issuer) : parseSession(payload, audience);
    } catch {
      // Every refusal of a token is the same 401, without a reason that could help an attacker.
      return null;
    }
  }

  return {
    issue({ account_id, session_id, email, plan, jti }, now_ms) {
      const claims = { sid: session_id, email, ...(plan === undefined ? {} : { plan }) };
      const standard = { iss: issuer, aud: audience, sub: account_id, jti };
      return signed(signer, { ...claims, ...standard }, SESSION_TOKEN_SECONDS, now_ms);
    },
    issueFor({ sub, client_id, resource, scopes, fingerprint, jti }, now_ms) {
      const claims = { client_id, scope: scopes.join(' '), fingerprint };
      const standard = { iss: issuer, aud: `${issuer}${resource}`, sub, jti };
      return signed(signer, { ...claims, ...standard }, CLIENT_TOKEN_SECONDS, now_ms);
    },
    issueUnder({ sub, client_id, grant_id, resource, scopes, jti }, now_ms) {
      const claims = { client_id, grant_id, scope: scopes.join(' ') };
      const standard = { iss: issuer, aud: `${issuer}${resource}`, sub, jti };
      return signed(signer, { ...claims, ...standard }, CLIENT_TOKEN_SECONDS, now_ms);
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

function parseSession(payload: JWTPayload, audience: string): SessionClaims | null {
  const { iss, aud, sub, sid, email, plan, iat, exp, jti } = payload;
  if (typeof iss !== 'string' || typeof aud !== 'string' || typeof sub !== 'string' || typeof sid !== 'string')
    return null;
  if (typeof email !== 'string' || typeof jti !== 'string' || iat === undefined || exp === undefined) return null;
  if (aud !== audience || (plan !== undefined && typeof plan !== 'string')) return null;
  return Object.freeze({ iss, aud, sub, sid, email, ...(plan === undefined ? {} : { plan }), iat, exp, jti });
}

function parseAgent(payload: JWTPayload, issuer: string): AgentClaims | null {
  const { aud, sub, sid, client_id, scope, fingerprint, exp, jti } = payload;
  if (sid !== undefined || typeof aud !== 'string' || !aud.startsWith(issuer)) return null;
  if (typeof sub !== 'string' || typeof client_id !== 'string' || typeof scope !== 'string') return null;
  if (typeof fingerprint !== 'string' || typeof jti !== 'string' || exp === undefined) return null;
  const resource = aud.slice(issuer.length);
  const scopes = Object.freeze(scope.split(' ').filter(Boolean));
  return Object.freeze({ sub, client_id, resource, scopes, fingerprint, exp, jti });
}

function parseGrant(payload: JWTPayload, issuer: string): GrantClaims | null {
  const { aud, sub, sid, client_id, grant_id, fingerprint, scope, exp, jti } = payload;
  if (sid !== undefined || fingerprint !== undefined || typeof aud !== 'string' || !aud.startsWith(issuer)) return null;
  if (typeof sub !== 'string' || typeof client_id !== 'string' || typeof grant_id !== 'string') return null;
  if (typeof scope !== 'string' || typeof jti !== 'string' || exp === undefined) return null;
  const resource = aud.slice(issuer.length);
  const scopes = Object.freeze(scope.split(' ').filter(Boolean));
  return Object.freeze({ sub, client_id, grant_id, resource, scopes, exp, jti });
}

// Accepts a compact JWS only in canonical encoding. Decoders of base64url ignore stray bits, padding and line breaks, so without
// this check one token would have many texts, and vectors that must fail would pass (RFC 7515, 2 and 5.2).

/** Whether a text is three parts of canonical base64url. */
export function isCanonicalJws(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
