// A client of an OpenID provider: the discovery document, and people by signed ID tokens (OpenID Connect Core 1.0, 3.1; Discovery
// 1.0). The document must name the configured issuer, an unknown key id makes the keys be read again, and a token must be for this
// service and this request. Failed reads are repeated, with a minimum pause.
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import type { SafeHttp } from '../safe-http/safe-http.ts';
import { type Asking, askJson, type Returned, tradeCode } from './account-host.ts';

/** A provider, and the service's client there. */
export interface OidcOptions {
  readonly http: Pick<SafeHttp, 'request'>;
  readonly issuer: string;
  readonly client_id: string;
  /** Null for a public client. */
  readonly client_secret: string | null;
  readonly scope: string;
  /** The wall clock, by which the provider's tokens expire, even when TEST_CLOCK has moved the service's time. */
  readonly now: () => number;
}

/** A person by the provider's claims. */
export interface OidcPerson {
  readonly subject: string;
  /** Null unless the provider says that it is verified. */
  readonly email: string | null;
}

export type OidcIdentified =
  | { readonly is: 'known'; readonly person: OidcPerson }
  | { readonly is: 'refused' }
  | { readonly is: 'silent' };

export interface OidcClient {
  readonly issuer: string;
  readonly origin: string;
  /** The hosts of its calls, as far as known before discovery. */
  readonly hosts: readonly string[];
  authorizeUrl(asking: Asking, gone: AbortSignal): Promise<string | null>;
  identify(back: Returned, gone: AbortSignal): Promise<OidcIdentified>;
  /** The person of an access token for this service (RFC 9068). */
  readAccess(token: string, gone: AbortSignal): Promise<OidcAccess | 'refused' | 'silent'>;
}

export interface OidcAccess {
  readonly subject: string;
  readonly issued_at: number;
  /** Its remaining life. */
  readonly left_ms: number;
}

/** The cache time of the document and the keys. */
const KEPT_MS = 600_000;
/** The minimum pause between reads because of an unknown key, so that forged tokens cannot cause many calls. */
const KEYS_PAUSE_MS = 10_000;
/** The tolerated clock skew. */
const TOLERANCE_SECONDS = 60;
/** The greatest age of an ID token, which is issued for a code just exchanged. */
const AGE_MAX = '10m';
const SUBJECT_MAX = 255;
/** Types of an access token (RFC 9068, 2.1), and what many providers send instead. */
const ACCESS_TYPES: ReadonlySet<unknown> = new Set(['at+jwt', 'application/at+jwt', 'jwt']);
/** Asymmetric signatures only: neither HMAC nor `none` proves the provider. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** The used part of the discovery document. */
interface Provider {
  readonly authorize: string;
  readonly token: string;
  readonly keys: string;
  /** The userinfo endpoint, or null. */
  readonly person: string | null;
  readonly by: 'basic' | 'form';
  /** Whether it sends `iss` with every authorization response (RFC 9207). */
  readonly names_itself: boolean;
}

interface Kept<T> {
  readonly value: T;
  readonly at_ms: number;
}

const isHttp = (text: unknown): text is string =>
  typeof text === 'string' && /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** The provider of a document; null when its issuer is another, or a needed member is missing. */
function providerOf(json: Readonly<Record<string, unknown>>, issuer: string): Provider | null {
  const { authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = json;
  if (json['issuer'] !== issuer || !isHttp(authorize) || !isHttp(token) || !isHttp(keys)) return null;
  const methods = json['token_endpoint_auth_methods_supported'];
  const basic = !Array.isArray(methods) || methods.includes('client_secret_basic');
  const names_itself = json['authorization_response_iss_parameter_supported'] === true;
  const person = isHttp(json['userinfo_endpoint']) ? json['userinfo_endpoint'] : null;
  return { authorize, token, keys, person, by: basic ? 'basic' : 'form', names_itself };
}

/** The person of a token's claims; null without a valid subject. */
function personOf({ sub, email, email_verified }: JWTPayload): OidcPerson | null {
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX) return null;
  // Only a boolean counts: some providers send the text "false".
  const vouched = email_verified === true && typeof email === 'string';
  return { subject: sub, email: vouched ? email : null };
}

/** Whether an ID token is this client's: one with several audiences must name it in `azp` (Core, 3.1.3.7). */
function isForClient({ aud, azp }: JWTPayload, client_id: string): boolean {
  return azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === client_id;
}

/** Whether a token claims to be an access token of this issuer. An ID token is none. */
function saysAccess(token: string, issuer: string): boolean {
  try {
    const { typ } = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    const ofAsking = 'nonce' in claims || 'at_hash' in claims || 'c_hash' in claims;
    return ACCESS_TYPES.has(typ?.toLowerCase()) && claims.iss === issuer && !ofAsking;
  } catch {
    return false;
  }
}

/** A provider's document and keys, read on demand and cached. */
class Known {
  readonly #options: OidcOptions;
  #provider: Kept<Provider> | null = null;
  #keys: Kept<JSONWebKeySet> | null = null;

  constructor(options: OidcOptions) {
    this.#options = options;
  }

  #fresh<T>(kept: Kept<T> | null, life_ms: number): T | null {
    return kept !== null && this.#options.now() - kept.at_ms < life_ms ? kept.value : null;
  }

  /** The provider by its document. */
  async provider(gone: AbortSignal): Promise<Provider | null> {
    const known = this.#fresh(this.#provider, KEPT_MS);
    if (known) return known;
    const { http, issuer, now } = this.#options;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const told = await askJson(http, { url }, gone);
    const found = told !== 'silent' && told.status === 200 ? providerOf(told.json, issuer) : null;
    if (found) this.#provider = { value: found, at_ms: now() };
    return found;
  }

  async #readKeys(url: string, life_ms: number, gone: AbortSignal): Promise<JSONWebKeySet | null> {
    const known = this.#fresh(this.#keys, life_ms);
    if (known) return known;
    const { http, now } = this.#options;
    const told = await askJson(http, { url }, gone);
    if (told === 'silent' || told.status !== 200 || !Array.isArray(told.json['keys'])) return null;
    // The library validates each key when it uses it.
    const value = { keys: told.json['keys'] } as JSONWebKeySet;
    this.#keys = { value, at_ms: now() };
    return value;
  }

  #check(token: string, set: JSONWebKeySet, maxTokenAge?: string): Promise<{ payload: JWTPayload }> {
    const { issuer, client_id, now } = this.#options;
    return jwtVerify(token, createLocalJWKSet(set), {
      issuer,
      audience: client_id,
      algorithms: ALGORITHMS,
      currentDate: new Date(now()),
      clockTolerance: TOLERANCE_SECONDS,
      ...(maxTokenAge !== undefined && { maxTokenAge }),
      requiredClaims: ['sub', 'exp', 'iat'],
    });
  }

  /** The claims of the provider's token for this service; reads the keys again for a new one. */
  async claims(
    token: string,
    { keys }: Provider,
    gone: AbortSignal,
    age_max?: string,
  ): Promise<JWTPayload | 'refused' | 'silent'> {
    for (const life_ms of [KEPT_MS, KEYS_PAUSE_MS]) {
      const set = await this.#readKeys(keys, life_ms, gone);
      if (!set) return 'silent';
      try {
        return (await this.#check(token, set, age_max)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) return 'refused';
      }
    }
    return 'refused';
  }

  /** The claims with the email address, from the userinfo endpoint if the token lacks it (Core, 5.4). Another subject there is refused. */
  async told(
    claims: JWTPayload,
    { person }: Provider,
    access_token: string,
    gone: AbortSignal,
  ): Promise<JWTPayload | 'refused' | 'silent'> {
    const { http, scope } = this.#options;
    if (person === null || 'email' in claims || !scope.split(' ').includes('email')) return claims;
    const headers = { authorization: `Bearer ${access_token}` };
    const told = await askJson(http, { url: person, headers }, gone);
    if (told === 'silent') return 'silent';
    if (told.status !== 200 || told.json['sub'] !== claims.sub) return 'refused';
    return { ...claims, email: told.json['email'], email_verified: told.json['email_verified'] };
  }
}

export function createOidcClient(options: OidcOptions): OidcClient {
  const { http, issuer, client_id, client_secret, scope } = options;
  const known = new Known(options);
  return {
    issuer,
    origin: new URL(issuer).origin,
    hosts: [new URL(issuer).host],
    async authorizeUrl({ redirect_uri, state, challenge, nonce }, gone) {
      const provider = await known.provider(gone);
      if (!provider) return null;
      const url = new URL(provider.authorize);
      const asked = { response_type: 'code', client_id, redirect_uri, scope, state, nonce };
      const proof = { code_challenge: challenge, code_challenge_method: 'S256' };
      for (const [name, value] of Object.entries({ ...asked, ...proof })) url.searchParams.set(name, value);
      return url.href;
    },
    async identify({ code, redirect_uri, verifier, nonce, iss }, gone) {
      const provider = await known.provider(gone);
      if (!provider) return { is: 'silent' };
      // The response is another provider's, so the code is not for this one (RFC 9700, 4.4).
      if (iss === null ? provider.names_itself : iss !== issuer) return { is: 'refused' };
      const client = { id: client_id, secret: client_secret, by: provider.by };
      const given = await tradeCode(http, provider.token, client, { code, redirect_uri, verifier }, gone);
      if (typeof given === 'string') return { is: given };
      const { id_token } = given;
      if (typeof id_token !== 'string') return { is: 'refused' };
      const claims = await known.claims(id_token, provider, gone, AGE_MAX);
      if (typeof claims === 'string') return { is: claims };
      if (claims['nonce'] !== nonce || !isForClient(claims, client_id)) return { is: 'refused' };
      const told = await known.told(claims, provider, String(given['access_token']), gone);
      if (typeof told === 'string') return { is: told };
      const person = personOf(told);
      return person === null ? { is: 'refused' } : { is: 'known', person };
    },
    async readAccess(token, gone) {
      // An arbitrary text causes no call to the provider.
      if (!saysAccess(token, issuer)) return 'refused';
      const provider = await known.provider(gone);
      if (!provider) return 'silent';
      const claims = await known.claims(token, provider, gone);
      if (typeof claims === 'string') return claims;
      const { sub = '', iat = 0, exp = 0 } = claims;
      return { subject: sub, issued_at: 1000 * iat, left_ms: 1000 * exp - options.now() };
    },
  };
}
