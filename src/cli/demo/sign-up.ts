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
  readonly agents: readonly { readonly handle: string; readonly phone: string }[];
}

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

/** Signs up and answers the account's agents, each verified. */
export async function signUp(client: Client, internal_token: string, account: NewAccount): Promise<DemoAgent[]> {
  const { key, session } = await credentials(client, internal_token, account.email);
  const made: DemoAgent[] = [];
  for (const { handle, phone } of account.agents) {
    const display_name = handle.replaceAll('_', ' ');
    await client.expect('POST', '/api/agents', { key }, { handle, display_name });
    // Proofs are a person's own: the routes of trust take a session, never a key.
    await client.expect('POST', '/api/trust/phone/send', { session, handle }, { phone });
    const code = await codeSentTo(client, internal_token, phone);
    await client.expect('POST', '/api/trust/phone/verify', { session, handle }, { phone, code });
    made.push({ handle, account: { key, handle } });
  }
  return made;
}
