// What a program asks of a person: the request that its browser brings to the authorization endpoint (OAuth 2.1, 4.1.1; RFC 7636;
// RFC 8707). Who asks and where the answer would go are read first, by themselves: until both are known to belong together
// nobody is sent anywhere.
import { RESOURCES, resourceAt } from './resource.ts';
import { type Scope, SIGNUP_SCOPES, scopesNamed } from './scope.ts';

/** A code challenge by S256: a SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;
const STATE_MAX = 2048;

/** Who asks, and where the answer is to go. */
export interface Addressed {
  readonly client_id: string;
  readonly redirect_uri: string;
}

export interface Asked {
  readonly resource: string;
  readonly scopes: readonly Scope[];
  readonly challenge: string;
}

/** A refusal that is told to the program (RFC 6749, 4.1.2.1). */
export interface Refusal {
  readonly error: string;
  readonly error_description: string;
}

const refusal = (error: string, error_description: string): Refusal => ({ error, error_description });

/** The one value of a parameter; null where it stands several times. One without a value counts as left out. */
function single(query: URLSearchParams, name: string): string | undefined | null {
  const [value, another] = query.getAll(name);
  return another === undefined ? value || undefined : null;
}

/** Who asks; a text for the person where that is not to be known. */
export function addressedIn(query: URLSearchParams): Addressed | string {
  const client_id = single(query, 'client_id');
  const redirect_uri = single(query, 'redirect_uri');
  if (!client_id) return 'The link does not say which program asks (client_id).';
  if (!redirect_uri) return 'The link does not say where the program waits for the answer (redirect_uri).';
  return { client_id, redirect_uri };
}

/** What the program wants to see again with the answer; null where it sent none that it can. */
export function stateIn(query: URLSearchParams): string | null {
  const state = single(query, 'state') ?? null;
  return state !== null && state.length <= STATE_MAX ? state : null;
}

/** The scopes asked for, each once and in their order; without any, all that there is to have. Whoever asks to stay is given a
 * refresh token anyway. */
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

/** What is asked for, or why it cannot be had. */
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
  // Without a method `plain` would be meant, which shows the secret to whoever sees the request (RFC 7636, 4.3).
  if (said.code_challenge_method !== 'S256') return refusal('invalid_request', 'code_challenge_method must be S256');
  const challenge = said.code_challenge ?? '';
  if (!CHALLENGE.test(challenge)) return refusal('invalid_request', 'code_challenge must be the S256 of a verifier');
  const resource = said.resource === undefined ? RESOURCES.service : resourceAt(said.resource, base_url);
  if (resource === null) return refusal('invalid_target', 'resource is none of this service');
  const scopes = scopesAsked(said.scope);
  return 'error' in scopes ? scopes : { resource, scopes, challenge };
}
