// The metadata of a program before it may ask for access: at an address of its own (client id metadata documents), or from its
// registration (RFC 7591). A program is identified by its address, and never trusted beyond what it can prove.

import type { Json } from '../json.ts';
import { isVisible } from '../text/visible.ts';
import { RESOURCES, resourceAt } from './resource.ts';
import { type Scope, SIGNUP_SCOPES, scopesNamed } from './scope.ts';

// The authorization request that the browser brings to the authorization endpoint (OAuth 2.1, 4.1.1; RFC 7636; RFC 8707).
// Client and redirect address are read first, separately: the browser is not redirected before they are known to belong together.

/** A code challenge by S256: a SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;
const STATE_MAX = 2048;

/** The client, and the redirect address. */
interface Addressed {
  readonly client_id: string;
  readonly redirect_uri: string;
}

export interface Asked {
  readonly resource: string;
  readonly scopes: readonly Scope[];
  readonly challenge: string;
}

/** A refusal that is returned to the program (RFC 6749, 4.1.2.1). */
interface Refusal {
  readonly error: string;
  readonly error_description: string;
}

const refusal = (error: string, error_description: string): Refusal => ({ error, error_description });

/** The single value of a parameter; null where it is repeated. An empty value counts as absent. */
function single(query: URLSearchParams, name: string): string | undefined | null {
  const [value, another] = query.getAll(name);
  return another === undefined ? value || undefined : null;
}

/** The client and address; a text for the person where they are unknown. */
export function addressedIn(query: URLSearchParams): Addressed | string {
  const client_id = single(query, 'client_id');
  const redirect_uri = single(query, 'redirect_uri');
  if (!client_id) return 'The link does not say which program asks (client_id).';
  if (!redirect_uri) return 'The link does not say where the program waits for the answer (redirect_uri).';
  return { client_id, redirect_uri };
}

/** The `state` to return to the program; null without a valid one. */
export function stateIn(query: URLSearchParams): string | null {
  const state = single(query, 'state') ?? null;
  return state !== null && state.length <= STATE_MAX ? state : null;
}

/** The requested scopes without duplicates, in their order; by default all. `offline_access` is ignored, since every program
 * gets a refresh token. */
function scopesAsked(text: string | undefined): readonly Scope[] | Refusal {
  const wanted = scopesNamed(text);
  const known: readonly string[] = SIGNUP_SCOPES;
  const beyond = [...wanted].filter((scope) => !known.includes(scope));
  if (beyond.length > 0) return refusal('invalid_scope', `${beyond.join(' ')}: a developer key alone can hold it`);
  return wanted.size === 0 ? SIGNUP_SCOPES : SIGNUP_SCOPES.filter((scope) => wanted.has(scope));
}

const READ = [
  ...['response_type', 'response_mode', 'state', 'scope', 'resource', 'code_challenge', 'code_challenge_method'],
  ...['request', 'request_uri'],
] as const;

/** The request, or its refusal. */
export function askedIn(query: URLSearchParams, base_url: string): Asked | Refusal {
  const said: Partial<Record<(typeof READ)[number], string>> = {};
  for (const name of READ) {
    const value = single(query, name);
    if (value === null) return refusal('invalid_request', `${name} must stand once`);
    if (value !== undefined) said[name] = value;
  }
  if (said.request !== undefined) return refusal('request_not_supported', 'Say it in parameters');
  if (said.request_uri !== undefined) return refusal('request_uri_not_supported', 'Say it in parameters');
  if ((said.state ?? '').length > STATE_MAX)
    return refusal('invalid_request', `state: at most ${STATE_MAX} characters`);
  if (said.response_type === undefined) return refusal('invalid_request', 'response_type must be code');
  if (said.response_type !== 'code') return refusal('unsupported_response_type', 'response_type must be code');
  if ((said.response_mode ?? 'query') !== 'query') return refusal('invalid_request', 'response_mode must be query');
  // The default method is `plain`, which exposes the secret in the request (RFC 7636, 4.3).
  if (said.code_challenge_method !== 'S256') return refusal('invalid_request', 'code_challenge_method must be S256');
  const challenge = said.code_challenge ?? '';
  if (!CHALLENGE.test(challenge)) return refusal('invalid_request', 'code_challenge must be the S256 of a verifier');
  const resource = said.resource === undefined ? RESOURCES.service : resourceAt(said.resource, base_url);
  if (resource === null) return refusal('invalid_target', 'resource is none of this service');
  const scopes = scopesAsked(said.scope);
  return 'error' in scopes ? scopes : { resource, scopes, challenge };
}

// Redirect addresses (OAuth 2.1, 2.3 and 8.4). They are compared as written, without decoding, resolving or folding, except for the
// port of a program on the person's own machine.

const LENGTH_MAX = 1024;
/** The characters of a URI (RFC 3986, 2), without `#`: a fragment never leaves the browser. */
const URI = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;
/** A program on the person's own machine listens on any free port (RFC 8252, 7.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;
/** Schemes of editors that predate the rule that a private scheme has a period (RFC 8252, 7.1). */
const EDITORS: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:']);

/** Why an address is no valid redirect, as the end of a sentence after "it"; null when it is valid. */
function redirectProblem(text: string): string | null {
  const url = text.length <= LENGTH_MAX && URI.test(text) ? URL.parse(text) : null;
  if (!url) return `must be an absolute URI of at most ${LENGTH_MAX} characters, without a fragment`;
  if (url.username !== '' || url.password !== '') return 'must hold no user name';
  if (url.protocol === 'https:') return url.hostname === '' ? 'must name a host' : null;
  if (url.protocol === 'http:') return LOOPBACK.test(text) ? null : 'must be https, or http to the machine itself';
  if (url.protocol.includes('.') || EDITORS.has(url.protocol)) return null;
  return 'must be https, http to the machine itself, or a scheme of its own that has a period';
}

/** Whether the sent redirect address matches a named one. */
export function redirectFits(named: string, sent: string): boolean {
  if (named === sent) return true;
  const [, ours, rest] = LOOPBACK.exec(named) ?? [];
  const [, theirs, tail] = LOOPBACK.exec(sent) ?? [];
  return ours !== undefined && ours === theirs && rest === tail && URL.canParse(sent);
}

/** The target of an address for people: a host, this machine, or an app; and as a CSP source. */
export function placeOf(redirect_uri: string): {
  readonly host: string | null;
  readonly local: boolean;
  readonly source: string;
} {
  const { protocol, host, origin } = new URL(redirect_uri);
  const local = LOOPBACK.test(redirect_uri);
  if (protocol !== 'https:' && protocol !== 'http:') return { host: null, local: true, source: protocol };
  // CSP has no syntax for an IPv6 address.
  return { host, local, source: host.startsWith('[') ? protocol : origin };
}

/** The redirect address with the parameters of the answer. */
export function answerAt(redirect_uri: string, answer: Readonly<Record<string, string | null>>): string {
  const said = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== null);
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${new URLSearchParams(said).toString()}`;
}

/** A client id is shown, stored and compared. */
const ID_MAX = 512;
const NAME_MAX = 80;
const REDIRECTS_MAX = 16;
/** Characters that are removed from names: control and direction marks, line ends. */
const NO_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export interface Program {
  readonly client_id: string;
  /** `document`: its address identifies it; `registered`: nothing vouches for it. */
  readonly kind: 'document' | 'registered';
  readonly name: string;
  readonly redirect_uris: readonly string[];
}

/** The fault of a program's metadata, by the codes of RFC 7591, 3.2.2. */
export interface Unsound {
  readonly problem: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly why: string;
}

/** Whether a client id is an address. */
export function isDocumentId(client_id: string): boolean {
  return /^https?:/i.test(client_id);
}

/** Why an address cannot be a client id, as the end of a sentence after "it"; null when it can. Only the normalised spelling of
 * browsers is accepted, so that all readers see the same address. */
export function documentIdProblem(client_id: string): string | null {
  const url = client_id.length <= ID_MAX ? URL.parse(client_id) : null;
  if (!url || url.href !== client_id)
    return `must be an address in its plain spelling, of at most ${ID_MAX} characters`;
  if (url.username !== '' || url.password !== '') return 'must hold no user name';
  if (client_id.includes('#')) return 'must hold no fragment';
  return url.pathname === '/' ? 'must name a document: its path cannot be empty' : null;
}

/** The displayed name; null where no visible character is left. */
function nameOf(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const name = text.normalize('NFC').replaceAll(NO_NAME, '').trim().slice(0, NAME_MAX);
  return isVisible(name) ? name : null;
}

/** Whether a list of a client's metadata is absent, or includes the needed value. */
function allows(list: unknown, needed: string): boolean {
  return list === undefined || (Array.isArray(list) && list.includes(needed));
}

function redirectsOf(list: unknown): readonly string[] | Unsound {
  const problem = 'invalid_redirect_uri';
  if (!Array.isArray(list) || list.length === 0 || list.length > REDIRECTS_MAX) {
    return { problem, why: `redirect_uris must be a list of 1 to ${REDIRECTS_MAX} addresses` };
  }
  const uris: string[] = [];
  for (const uri of list) {
    const wrong = typeof uri === 'string' ? redirectProblem(uri) : 'must be a text';
    if (wrong !== null) return { problem, why: `each of redirect_uris ${wrong}` };
    uris.push(String(uri));
  }
  return uris;
}

/** The program of the metadata, or their fault. A registering program may ask for a secret, and is told that it gets none. A document
 * that demands another client authentication is refused. */
export function judgeMetadata(
  { client_name, redirect_uris, grant_types, response_types, token_endpoint_auth_method: method }: Json,
  { client_id, kind }: Pick<Program, 'client_id' | 'kind'>,
): Program | Unsound {
  const redirects = redirectsOf(redirect_uris);
  if ('problem' in redirects) return redirects;
  const problem = 'invalid_client_metadata';
  if (!allows(grant_types, 'authorization_code')) return { problem, why: 'grant_types must hold authorization_code' };
  if (!allows(response_types, 'code')) return { problem, why: 'response_types must hold code' };
  if (kind === 'document' && method !== undefined && method !== 'none') {
    return { problem, why: 'token_endpoint_auth_method must be none' };
  }
  const fallback = kind === 'document' ? new URL(client_id).host : 'A program without a name';
  return { client_id, kind, name: nameOf(client_name) ?? fallback, redirect_uris: redirects };
}

/** The program of a document, which is valid for its own address only. */
export function judgeDocument(value: unknown, client_id: string): Program | Unsound {
  const problem = 'invalid_client_metadata';
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem, why: 'it is no JSON object' };
  const metadata = value as Json;
  if (metadata['client_id'] !== client_id) return { problem, why: 'its client_id is not its own address' };
  if ('client_secret' in metadata) return { problem, why: 'it holds a secret, which is none in public' };
  return judgeMetadata(metadata, { client_id, kind: 'document' });
}

/** How long a document may be cached: by its headers (RFC 9111), briefly without them, and at most a day, so that a change after a
 * takeover is seen. */
export function keptSeconds(headers: Readonly<Record<string, string>>): number {
  const SILENT = 300;
  const MOST = 86_400;
  const said = (headers['cache-control'] ?? '').toLowerCase();
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,=])/.test(said)) return 0;
  const [, age] = /(?:^|[\s,])max-age="?(\d{1,10})/.exec(said) ?? [];
  if (age === undefined) return SILENT;
  const spent = Number(/^\d{1,10}$/.exec(headers['age'] ?? '')?.[0] ?? 0);
  return Math.max(0, Math.min(Number(age) - spent, MOST));
}
