// A program that gets access tokens with its agent's own key, as one outside of the house would: the portable library signs, and
// nothing of the service is used.
import * as ed25519 from '@noble/ed25519';
import type { TestAnswer, TestService } from './testbed.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const LIFE_SECONDS = 120;

export interface Signer {
  /** As it is registered. */
  readonly public_key: string;
  readonly secret: Uint8Array;
}

const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64url');

export async function newSigner(): Promise<Signer> {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  return { secret, public_key: base64url(await ed25519.getPublicKeyAsync(secret)) };
}

/** Registers a new key for an agent. */
export async function registerSigner(t: TestService, agent: { key: string; handle?: string }): Promise<Signer> {
  const signer = await newSigner();
  const body = { public_key: signer.public_key };
  const answer = await t.call('POST', '/api/auth/keypair', { key: agent.key, agent: agent.handle, body });
  if (answer.status !== 200) throw new Error(`registering a key answered ${answer.status}`);
  return signer;
}

/** A compact JWS over texts as they are given. */
export async function signText(header: string, payload: string, { secret }: Signer): Promise<string> {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  return `${signed}.${base64url(await ed25519.signAsync(Buffer.from(signed), secret))}`;
}

/** What a sound assertion says. */
export function claimsOf(t: TestService, handle: string): Record<string, unknown> {
  const now = Math.floor(t.clock.now() / 1000);
  const aud = `${t.service.world.settings.base_url}/oauth/token`;
  return { iss: handle, sub: handle, aud, iat: now, exp: now + LIFE_SECONDS, jti: crypto.randomUUID() };
}

/** A sound assertion of an agent, save for what is said otherwise. */
export function assertionOf(
  t: TestService,
  handle: string,
  signer: Signer,
  { header = {}, ...claims }: Record<string, unknown> & { header?: object } = {},
): Promise<string> {
  const head = JSON.stringify({ alg: 'EdDSA', typ: 'JWT', ...header });
  return signText(head, JSON.stringify({ ...claimsOf(t, handle), ...claims }), signer);
}

/** Sends a form to the token endpoint; a list of pairs may name something twice. */
export function askToken(
  t: TestService,
  fields: Record<string, string> | [string, string][],
  more: { ip?: string; token?: string } = {},
): Promise<TestAnswer> {
  const text = new URLSearchParams(fields).toString();
  return t.call('POST', '/oauth/token', { raw: { type: 'application/x-www-form-urlencoded', text }, ...more });
}

/** The fields of a sound request with an assertion. */
export function formWith(client_assertion: string, more: Record<string, string> = {}): Record<string, string> {
  return { grant_type: 'client_credentials', client_assertion_type: ASSERTION_TYPE, client_assertion, ...more };
}

/** An access token of an agent; throws when there is none. */
export async function tokenOf(
  t: TestService,
  handle: string,
  signer: Signer,
  more: Record<string, string> = {},
): Promise<string> {
  const answer = await askToken(t, formWith(await assertionOf(t, handle, signer), more));
  if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.access_token;
}
