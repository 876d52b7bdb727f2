// Passkeys as a page makes and uses them, by the service's own addresses.
import type { Authenticator } from './authenticator.ts';
import type { TestAnswer, TestService } from './testbed.ts';

const DOORS = { make: '/api/auth/passkeys/options', show: '/api/auth/session/passkey/options' };

/** What a device is asked: to make a passkey for whoever holds the token, or to sign somebody in. */
export async function askOptions(t: TestService, token: string | null): Promise<TestAnswer['body']> {
  const { body, status } = await t.call('POST', token === null ? DOORS.show : DOORS.make, {
    ...(token !== null && { token }),
    body: {},
  });
  if (status !== 200) throw new Error(`options answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Adds a device's passkey to an account, and answers the passkey's id. */
export async function addPasskey(
  t: TestService,
  token: string,
  device: Authenticator,
  name = 'Phone',
): Promise<string> {
  const credential = device.make(await askOptions(t, token));
  const { body, status } = await t.call('POST', '/api/auth/passkeys', { token, body: { name, credential } });
  if (status !== 201) throw new Error(`register answered ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

/** Signs in with what a device answers. */
export function showPasskey(t: TestService, credential: unknown): Promise<TestAnswer> {
  return t.call('POST', '/api/auth/session/passkey', { body: { credential } });
}
