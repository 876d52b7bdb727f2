// Programs that ask for access, as they are written elsewhere: each holds a verifier of PKCE, has a person decide in a browser of its
// own, and trades what comes back. Nothing of ours but the addresses is known to them.
import { createHash, randomBytes } from 'node:crypto';
import { askToken } from './assertion.ts';
import { newReader, type Reader, type Shown, signInOn } from './reader.ts';
import type { TestAnswer, TestService } from './testbed.ts';

export const REDIRECT = 'http://127.0.0.1/callback';

/** A verifier of PKCE, and its challenge. */
export function newVerifier(): { readonly code_verifier: string; readonly code_challenge: string } {
  const code_verifier = randomBytes(32).toString('base64url');
  return { code_verifier, code_challenge: createHash('sha256').update(code_verifier).digest('base64url') };
}

/** Registers a program, and answers its id. */
export async function registerProgram(t: TestService, redirect_uris: readonly string[] = [REDIRECT]): Promise<string> {
  const body = { client_name: 'A test program', redirect_uris };
  const answer = await t.call('POST', '/oauth/register', { body });
  if (answer.status !== 201) throw new Error(`register answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.client_id;
}

/** The address that a program opens; a field of null is left out. */
export function askingPath(fields: Readonly<Record<string, string | null>>): string {
  const all = {
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge_method: 'S256',
    state: 'a state & more',
    ...fields,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** A browser of somebody who is signed in. */
export async function signedInReader(t: TestService, email: string): Promise<Reader> {
  const reader = newReader(t, t.service.world.settings.base_url);
  await signInOn(t, reader, email);
  return reader;
}

/** Opens the page and presses a button of it. */
export async function decideOn(
  reader: Reader,
  path: string,
  decision: 'allow' | 'deny' = 'allow',
  fields: Readonly<Record<string, string>> = {},
): Promise<Shown> {
  const page = await reader.get(path);
  if (page.status !== 200) return page;
  return reader.post(path, { decision, ...fields });
}

/** What a browser brought back to the program. */
export function broughtBack({ location }: Shown): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(location ?? 'about:blank').searchParams);
}

/** Asks the token endpoint; a field of null is left out. */
export function askTokens(t: TestService, fields: Readonly<Record<string, string | null>>): Promise<TestAnswer> {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== null);
  return askToken(t, given);
}

/** A program that was let in, with its first tokens. */
export interface ConnectedTestProgram {
  /** Of the grant. */
  readonly id: string;
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly answer: TestAnswer;
  refresh(token: string, more?: Readonly<Record<string, string | null>>): Promise<TestAnswer>;
}

/** Lets a new program in, as somebody whose browser it is. */
export async function connectProgram(
  t: TestService,
  reader: Reader,
  { asked = {}, chosen = {} }: { asked?: Record<string, string | null>; chosen?: Record<string, string> } = {},
): Promise<ConnectedTestProgram> {
  const client_id = await registerProgram(t);
  const { code_verifier, code_challenge } = newVerifier();
  const shown = await decideOn(reader, askingPath({ client_id, code_challenge, ...asked }), 'allow', chosen);
  const { code = '' } = broughtBack(shown);
  const answer = await askTokens(t, { grant_type: 'authorization_code', client_id, code, code_verifier });
  if (answer.status !== 200) throw new Error(`token answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const refresh: ConnectedTestProgram['refresh'] = (refresh_token, more = {}) =>
    askTokens(t, { grant_type: 'refresh_token', client_id, refresh_token, ...more });
  const [id = ''] = code.split('.');
  return { id, client_id, ...answer.body, answer, refresh };
}
