// An OpenID provider elsewhere, as one of its clients sees it: found by its discovery document, its people known by a signed ID token
// (OpenID Connect Core 1.0, 3.1; Discovery 1.0). Nothing that it says is taken on trust: the document must be of the issuer that
// was set up, its keys are read again where a token names one that is not known, and the token must be for this service, of this
// very asking. Whatever is away is asked for anew, so often at most.
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

/** A provider and as what it knows the service. */
export interface OidcOptions {
  readonly http: Pick<SafeHttp, 'request'>;
  readonly issuer: string;
  readonly client_id: string;
  /** Null for a public client. */
  readonly client_secret: string | null;
  readonly scope: string;
  /** The clock on the wall: another house's tokens live by it, wherever TEST_CLOCK has moved the service. */
  readonly now: () => number;
}

/** A person as the provider tells of them. */
export interface OidcPerson {
  readonly subject: string;
  /** Null where the provider does not say, in so many words, that it is theirs. */
  readonly email: string | null;
}

export type OidcIdentified =
  | { readonly is: 'known'; readonly person: OidcPerson }
  | { readonly is: 'refused' }
  | { readonly is: 'silent' };

export interface OidcClient {
  readonly issuer: string;
  readonly origin: string;
  /** Whom its calls reach, as far as that is known before the provider was asked. */
  readonly hosts: readonly string[];
  authorizeUrl(asking: Asking, gone: AbortSignal): Promise<string | null>;
  identify(back: Returned, gone: AbortSignal): Promise<OidcIdentified>;
  /** Whose access token for this service it is (RFC 9068). */
  readAccess(token: string, gone: AbortSignal): Promise<OidcAccess | 'refused' | 'silent'>;
}

export interface OidcAccess {
  readonly subject: string;
  readonly issued_at: number;
  /** For how long it goes on, from now on. */
  readonly left_ms: number;
}

/** The document and the keys are kept for so long. */
const KEPT_MS = 600_000;
/** A token that names an unknown key has them read again, once in so long: a stranger's token must not make calls. */
const KEYS_PAUSE_MS = 10_000;
/** Clocks of two houses differ. */
const TOLERANCE_SECONDS = 60;
/** A token is made for the code that was traded a moment ago. */
const AGE_MAX = '10m';
const SUBJECT_MAX = 255;
/** Types of an access token (RFC 9068, 2.1), and what many providers write instead. */
const ACCESS_TYPES: ReadonlySet<unknown> = new Set(['at+jwt', 'application/at+jwt', 'jwt']);
/** Signatures alone; a key that both sides know, and none at all, are no signature of the provider. */
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

/** What of the discovery document counts. */
interface Provider {
  readonly authorize: string;
  readonly token: string;
  readonly keys: string;
  /** Tells of the person whose access token it is shown; null where there is no such place. */
  readonly person: string | null;
  readonly by: 'basic' | 'form';
  /** Whether it says of every return that it was its own (RFC 9207). */
  readonly names_itself: boolean;
}

interface Kept<T> {
  readonly value: T;
  readonly at_ms: number;
}

const isHttp = (text: unknown): text is string =>
  typeof text === 'string' && /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** The provider of a document; null where it is not that of the issuer, or lacks what is needed. */
function providerOf(json: Readonly<Record<string, unknown>>, issuer: string): Provider | null {
  const { authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = json;
  if (json['issuer'] !== issuer || !isHttp(authorize) || !isHttp(token) || !isHttp(keys)) return null;
  const methods = json['token_endpoint_auth_methods_supported'];
  const basic = !Array.isArray(methods) || methods.includes('client_secret_basic');
  const names_itself = json['authorization_response_iss_parameter_supported'] === true;
  const person = isHttp(json['userinfo_endpoint']) ? json['userinfo_endpoint'] : null;
  return { authorize, token, keys, person, by: basic ? 'basic' : 'form', names_itself };
}

/** The person of a token's claims; null where the provider does not know them by a name of its own. */
function personOf({ sub, email, email_verified }: JWTPayload): OidcPerson | null {
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX) return null;
  // A text is no truth: some providers write "false" into it.
  const vouched = email_verified === true && typeof email === 'string';
  return { subject: sub, email: vouched ? email : null };
}

/** Whether an ID token is this client's: one for several parties says for which of them it was made (Core, 3.1.3.7). */
function isForClient({ aud, azp }: JWTPayload, client_id: string): boolean {
  return azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === client_id;
}

/** Whether a token is one of this issuer to be shown at a service, as far as it says so itself. An ID token, which answers an asking, is
 * none. */
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

/** What is known of a provider: its document and its keys, each asked for when it is needed and kept for a while. */
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

  /** The provider, as its document tells of it. */
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
    // Each key is looked at by the library that uses it.
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

  /** The claims of a token that is the provider's, for this service; a key that it took into use since is read. */
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

  /** The claims with the address, where that is asked for and stands in no token (Core, 5.4). Told of somebody else it is refused. */
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
      // Sent back by another provider: its code is not for this one (RFC 9700, 4.4).
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
      // A stranger's text makes no call to the provider.
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
