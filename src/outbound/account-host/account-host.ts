// The port for proving an account elsewhere: a person is sent to the site that has it, lets the service know who they are there, and
// comes back with a code, for which the site tells the account (OAuth 2.1, OpenID Connect Core 1.0). What a site gives beside that
// is dropped at once: no token outlives the call.
import type { AccountHostName, AccountKind } from '../../domain/identity/account-host.ts';
import { isObject } from '../../domain/json.ts';
import type { SafeHttp } from '../safe-http/safe-http.ts';

/** What is asked for when a person is sent there. */
export interface Asking {
  readonly redirect_uri: string;
  /** Comes back with the person. */
  readonly state: string;
  /** The code verifier's SHA-256, as base64url (RFC 7636, 4.2). */
  readonly challenge: string;
  /** Comes back within a signed statement, where the site makes any. */
  readonly nonce: string;
}

/** What a person comes back with, and what only whoever sent them there can know. */
export interface Returned {
  readonly redirect_uri: string;
  readonly code: string;
  /** Which site says that it sent them back (RFC 9207); null where none was said. */
  readonly iss: string | null;
  readonly verifier: string;
  readonly nonce: string;
}

/** Who it is there: `refused` is the site's clear word or one that cannot be right, `silent` none at all. */
export type Identified =
  | { readonly is: 'known'; readonly external_id: string }
  | { readonly is: 'refused' }
  | { readonly is: 'silent' };

/** Whether an account is still there; `unknown` where the site gave no clear word. */
export type AccountStanding = 'standing' | 'missing' | 'unknown';

export interface AccountHost {
  readonly kind: AccountKind;
  readonly title: string;
  /** Where people are sent: an origin. */
  readonly origin: string;
  /** Whom its calls reach. */
  readonly hosts: readonly string[];
  /** Where to send a person; null when the site does not say in time. */
  authorizeUrl(asking: Asking, gone: AbortSignal): Promise<string | null>;
  /** Trades the code for who it is. */
  identify(back: Returned, gone: AbortSignal): Promise<Identified>;
  /** Looks whether an account is there, without its person; null where the site tells nobody. */
  readonly look: ((external_id: string, gone: AbortSignal) => Promise<AccountStanding>) | null;
}

/** The sites that this server has set up. */
export type AccountHosts = Readonly<Partial<Record<AccountHostName, AccountHost>>>;

// Calls to a site that has people's accounts: JSON over the one safe client. Whatever a site does wrong ends in one of two words.

/** A person waits before a page. */
const DEADLINE_MS = 5_000;
/** Of a token, a user or a set of keys. */
const BYTES_MAX = 65_536;
const TOKEN_MAX = 16_384;

/** The JSON object that a site answered, with its status; `silent` where there is none that could be one. */
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
    // Not UTF-8, or not JSON: it says nothing.
    return null;
  }
}

/** Asks a site. A server's own trouble and one that is too busy are silence; a redirect is no answer. */
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

/** How a client shows itself where it trades a code. */
export interface ClientSecret {
  readonly id: string;
  /** Null for a public client. */
  readonly secret: string | null;
  readonly by: 'basic' | 'form';
}

const formText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** The header of a client that shows itself by it (RFC 6749, 2.3.1). */
export function basicAuth({ id, secret }: Pick<ClientSecret, 'id' | 'secret'>): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${formText(id)}:${formText(secret ?? '')}`).toString('base64')}` };
}

/** What a site gave for a code: its fields; `refused` where it gave no access token. */
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
  // A token goes into a header: signs that are none of a token would be something else there.
  return told.status === 200 && usable && bearer && /^[\x21-\x7e]+$/.test(access_token) ? told.json : 'refused';
}
