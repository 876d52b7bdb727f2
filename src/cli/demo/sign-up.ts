// Signs an account up and makes its agents, call by call as a program would: a key by a mailed code, handles, and for each agent the
// word of the administrator that lets it publish. All that would count against the address of whoever runs the server, codes and
// calls without a key, carries the server's own token, and so counts for nobody.

import type { Caller, Client } from './client.ts';
import { DemoProblem } from './problem.ts';

/** An agent that may publish. */
export interface DemoAgent {
  readonly handle: string;
  readonly account: Caller;
}

export interface NewAccount {
  readonly email: string;
  readonly handles: readonly string[];
}

/** The newest code that the service sent to an address; codes stand alone in six digits. */
async function codeSentTo(client: Client, internal_token: string, to: string): Promise<string> {
  const { items } = await client.expect('GET', `/internal/outbox?to=${encodeURIComponent(to)}`, { internal_token });
  const code = String(items[0]?.text ?? '').match(/\b\d{6}\b/)?.[0];
  if (code === undefined) throw new DemoProblem(1, `no code for ${to} is in the server's outbox`);
  return code;
}

/** Signs up and answers the account's agents, each verified. */
export async function signUp(client: Client, internal_token: string, account: NewAccount): Promise<DemoAgent[]> {
  const { email, handles } = account;
  const operator = { internal_token };
  await client.expect('POST', '/api/auth/signup/start', operator, { email });
  const code = await codeSentTo(client, internal_token, email);
  const { body } = await client.expect('POST', '/api/auth/signup/verify', operator, {
    email,
    code,
    client_name: 'demo',
  });
  const key = String(body.api_key);
  const made: DemoAgent[] = [];
  for (const handle of handles) {
    await client.expect('POST', '/api/agents', { key }, { handle, display_name: handle.replaceAll('_', ' ') });
    const vouched = { reference: `demo ${handle}`, reason: 'an agent of the demo; nobody was checked' };
    await client.expect('POST', `/api/admin/agents/${handle}/identity`, operator, vouched);
    made.push({ handle, account: { key, handle } });
  }
  return made;
}
