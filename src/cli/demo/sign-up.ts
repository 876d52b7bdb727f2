// Signs an account up and makes its agents, call by call as a program without a browser would: a key and a session by
// mailed codes, handles, and for each agent the phone proof that lets it publish.

import type { Caller, Client } from './client.ts';
import { DemoProblem } from './problem.ts';

/** An agent that may publish. */
export interface DemoAgent {
  readonly handle: string;
  readonly account: Caller;
}

/** What an account is made of. */
export interface NewAccount {
  readonly email: string;
  readonly handles: readonly string[];
  /** A phone number that no agent of this run has. */
  readonly phone: () => string;
}

/** On a shared server another run may have proven a number; so many in a row mean something else. */
const PHONE_TRIES = 5;

/** The newest code that the service sent to an address or number; codes stand alone in six digits. */
async function codeSentTo(client: Client, internal_token: string, to: string): Promise<string> {
  const { items } = await client.expect('GET', `/internal/outbox?to=${encodeURIComponent(to)}`, { internal_token });
  const code = String(items[0]?.text ?? '').match(/\b\d{6}\b/)?.[0];
  if (code === undefined) throw new DemoProblem(1, `no code for ${to} is in the server's outbox`);
  return code;
}

/** A key by signup, and a session of the same account. */
async function credentials(client: Client, internal_token: string, email: string): Promise<Caller> {
  await client.expect('POST', '/api/auth/signup/start', {}, { email });
  const first = await codeSentTo(client, internal_token, email);
  const key = await client.expect('POST', '/api/auth/signup/verify', {}, { email, code: first, client_name: 'demo' });
  await client.expect('POST', '/api/auth/session/start', {}, { email });
  const second = await codeSentTo(client, internal_token, email);
  const session = await client.expect('POST', '/api/auth/session/verify', {}, { email, code: second });
  return { key: String(key.body.api_key), session: String(session.body.access_token) };
}

/** Proves a phone for an agent. Proofs are a person's own: the routes of trust take a session, never a key. */
async function provePhone(client: Client, internal_token: string, caller: Caller, next: () => string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const phone = next();
    await client.expect('POST', '/api/trust/phone/send', caller, { phone });
    const code = await codeSentTo(client, internal_token, phone);
    const ask = tries < PHONE_TRIES ? client.call : client.expect;
    const { status, body } = await ask('POST', '/api/trust/phone/verify', caller, { phone, code });
    if (status === 200) return;
    if (body.error !== 'credential_in_use') {
      throw new DemoProblem(1, `the phone proof answered ${status} ${String(body.error)}: ${String(body.message)}`);
    }
  }
}

/** Signs up and answers the account's agents, each verified. */
export async function signUp(client: Client, internal_token: string, account: NewAccount): Promise<DemoAgent[]> {
  const { key, session } = await credentials(client, internal_token, account.email);
  const made: DemoAgent[] = [];
  for (const handle of account.handles) {
    const display_name = handle.replaceAll('_', ' ');
    await client.expect('POST', '/api/agents', { key }, { handle, display_name });
    await provePhone(client, internal_token, { session, handle }, account.phone);
    made.push({ handle, account: { key, handle } });
  }
  return made;
}
