// The port for proving an account at another site: the person authorizes the service there and returns with a code, which is exchanged
// for the account's id (OAuth 2.1, OpenID Connect Core 1.0). Everything else in the answer is dropped: no token outlives the call.
import type { AccountHostName, AccountKind } from '../../domain/identity/account-host.ts';
import { isObject } from '../../domain/json.ts';
import type { SafeHttp } from '../safe-http/safe-http.ts';

/** The authorization request. */
export interface Asking {
  readonly redirect_uri: string;
  /** Returned with the person. */
  readonly state: string;
  /** The code verifier's SHA-256, as base64url (RFC 7636, 4.2). */
  readonly challenge: string;
  /** Returned in the ID token, if the site issues one. */
  readonly nonce: string;
}

/** The authorization response, with the verifier that only the service knows. */
export interface Returned {
  readonly redirect_uri: string;
  readonly code: string;
  /** The issuer of the response (RFC 9207); null when absent. */
  readonly iss: string | null;
  readonly verifier: string;
  readonly nonce: string;
}

/** The account: `refused` for a refusal or an invalid answer, `silent` for none. */
export type Identified =
  | { readonly is: 'known'; readonly external_id: string }
  | { readonly is: 'refused' }
  | { readonly is: 'silent' };

/** Whether an account still exists; `unknown` without a clear answer. */
export type AccountStanding = 'standing' | 'missing' | 'unknown';

export interface AccountHost {
  readonly kind: AccountKind;
  readonly title: string;
  /** The origin that people are sent to. */
  readonly origin: string;
  /** The hosts of its calls. */
  readonly hosts: readonly string[];
  /** The authorization URL; null when the site does not answer in time. */
  authorizeUrl(asking: Asking, gone: AbortSignal): Promise<string | null>;
  /** Exchanges the code for the account's id. */
  identify(back: Returned, gone: AbortSignal): Promise<Identified>;
  /** Checks whether an account exists, without its person; null when the site has no public lookup. */
  readonly look: ((external_id: string, gone: AbortSignal) => Promise<AccountStanding>) | null;
}

/** The configured sites. */
export type AccountHosts = Readonly<Partial<Record<AccountHostName, AccountHost>>>;

// JSON calls to such a site over the safe client. Each failure ends as `refused` or `silent`.

/** A person waits for the page. */
const DEADLINE_MS = 5_000;
/** Of a token, a user or a set of keys. */
const BYTES_MAX = 65_536;
const TOKEN_MAX = 16_384;

/** A site's JSON object with its status; `silent` without a usable answer. */
type Told = { readonly status: number; readonly json: Readonly<Record<string, unknown>> } | 'silent';

interface Call {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form to post. */
  readonly form?: URLSearchParams;
}

function objectOf(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : null;
  } catch {
    // Not UTF-8, or not JSON.
    return null;
  }
}

/** Asks a site. Server errors and 429 count as silent; a redirect is no answer. */
export async function askJson(
  http: Pick<SafeHttp, 'request'>,
  { url, headers = {}, form }: Call,
  signal: AbortSignal,
): Promise<Told> {
  const answer = await http.request({
    method: form ? 'POST' : 'GET',
    url,
    headers: {
      accept: 'application/json',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form && { body: form.toString() }),
    deadline_ms: DEADLINE_MS,
    bytes_max: BYTES_MAX,
    signal,
  });
  if (!answer.ok) return 'silent';
  const { status } = answer;
  const busy = status === 403 || status === 408 || status === 429 || status >= 500 || (status >= 300 && status < 400);
  return busy ? 'silent' : { status, json: objectOf(answer.body) ?? {} };
}

/** How a client authenticates at the token endpoint. */
export interface ClientSecret {
  readonly id: string;
  /** Null for a public client. */
  readonly secret: string | null;
  readonly by: 'basic' | 'form';
}

const formText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** The header of HTTP Basic client authentication (RFC 6749, 2.3.1). */
export function basicAuth({ id, secret }: Pick<ClientSecret, 'id' | 'secret'>): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${formText(id)}:${formText(secret ?? '')}`).toString('base64')}` };
}

/** The token response for a code; `refused` without an access token. */
export async function tradeCode(
  http: Pick<SafeHttp, 'request'>,
  token_url: string,
  client: ClientSecret,
  { code, redirect_uri, verifier }: { code: string; redirect_uri: string; verifier: string | null },
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | 'refused' | 'silent'> {
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, client_id: client.id });
  if (verifier !== null) form.set('code_verifier', verifier);
  const inForm = client.by === 'form' && client.secret !== null;
  if (inForm) form.set('client_secret', client.secret);
  const headers = client.secret !== null && !inForm ? basicAuth(client) : {};
  const told = await askJson(http, { url: token_url, headers, form }, signal);
  if (told === 'silent') return 'silent';
  const { access_token, token_type } = told.json;
  const usable = typeof access_token === 'string' && access_token !== '' && access_token.length <= TOKEN_MAX;
  const bearer = typeof token_type === 'string' && token_type.toLowerCase() === 'bearer';
  // The token goes into a header: other characters could inject header syntax.
  return told.status === 200 && usable && bearer && /^[\x21-\x7e]+$/.test(access_token) ? told.json : 'refused';
}
