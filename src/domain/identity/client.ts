// What a program says of itself before it may ask for access: at an address of its own (client id metadata documents), or when it is
// registered here (RFC 7591). The rule kept here is that a program is what its address says, and never more than it can prove.
import type { Json } from '../json.ts';
import { isVisible } from '../text/visible.ts';
import { redirectProblem } from './redirect-uri.ts';

/** A client id is shown, stored and compared. */
const ID_MAX = 512;
const NAME_MAX = 80;
const REDIRECTS_MAX = 16;
/** What may stand in a name beside what is seen: no direction marks, no line ends. */
const NO_NAME = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export interface Program {
  readonly client_id: string;
  /** `document`: its address stands for it; `registered`: nobody does. */
  readonly kind: 'document' | 'registered';
  readonly name: string;
  readonly redirect_uris: readonly string[];
}

/** What is wrong with a program's metadata, by the codes of RFC 7591, 3.2.2. */
export interface Unsound {
  readonly problem: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly why: string;
}

/** Whether a client id is meant for an address. */
export function isDocumentId(client_id: string): boolean {
  return /^https?:/i.test(client_id);
}

/** Why an address cannot be a client id, as what follows "it"; null when it can. It is taken in the one spelling that a browser
 * would make of it, so that two readers never see two addresses in it. */
export function documentIdProblem(client_id: string): string | null {
  const url = client_id.length <= ID_MAX ? URL.parse(client_id) : null;
  if (!url || url.href !== client_id)
    return `must be an address in its plain spelling, of at most ${ID_MAX} characters`;
  if (url.username !== '' || url.password !== '') return 'must hold no user name';
  if (client_id.includes('#')) return 'must hold no fragment';
  return url.pathname === '/' ? 'must name a document: its path cannot be empty' : null;
}

/** A name as people are shown it; null where nothing is left to see. */
function nameOf(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const name = text.normalize('NFC').replaceAll(NO_NAME, '').trim().slice(0, NAME_MAX);
  return isVisible(name) ? name : null;
}

/** Whether a list of a client's metadata is left out, or has what is needed. */
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

/** What metadata say of a program, or what is wrong with them. A program that is registered may have asked for a secret: it is told
 * that it gets none. One that says of itself that it proves who it is some other way must not pass without. */
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

/** What a document at an address says; it speaks for that address alone. */
export function judgeDocument(value: unknown, client_id: string): Program | Unsound {
  const problem = 'invalid_client_metadata';
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem, why: 'it is no JSON object' };
  const metadata = value as Json;
  if (metadata['client_id'] !== client_id) return { problem, why: 'its client_id is not its own address' };
  if ('client_secret' in metadata) return { problem, why: 'it holds a secret, which is none in public' };
  return judgeMetadata(metadata, { client_id, kind: 'document' });
}

/** How long a document that was read may be kept: as its headers say (RFC 9111), a little where they are silent, and no longer than
 * a day, by when a program that was taken over is known to be. */
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
