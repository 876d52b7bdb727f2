// Whom the story is about: a person with a mail address and a phone, who presses the buttons that only people may, and the agent that
// does all the rest by its key.
import { expect } from 'bun:test';
import type { ServedTest } from './a2a.ts';
import { freshPhone } from './agents.ts';
import { decideOn } from './funds.ts';
import { type Json, type RestClient, restClient } from './rest-client.ts';
import type { Act, AgentDoor, OpenDoor } from './story-doors.ts';
import { codeFor } from './testbed.ts';

/** The buttons of a person; `pressed` tells which were, in order. */
export interface Person {
  readonly pressed: readonly string[];
  signIn(): Promise<void>;
  verifyPhone(): Promise<void>;
  /** Lets the agent take its turns by itself. */
  switchOn(): Promise<void>;
  fund(amount_cents: number): Promise<void>;
  approve(conversation_id: string, proposal: Json): Promise<Json>;
  release(escrow_id: string, milestone_index: number): Promise<Json>;
  balance(): Promise<number>;
}

/** An agent of the story with its person. */
export interface Side {
  readonly handle: string;
  readonly key: string;
  readonly person: Person;
  act(act: Act, given?: Readonly<Record<string, unknown>>): Promise<Json>;
  close(): Promise<void>;
}

/** By a code that comes by mail: no session, no agent, only a key. */
async function signUp({ t }: ServedTest, client: RestClient, email: string): Promise<string> {
  await client.ask('POST', '/api/auth/signup/start', {}, { email });
  const body = { email, code: codeFor(t, email) };
  return (await client.ask('POST', '/api/auth/signup/verify', {}, body)).api_key;
}

function personOf({ t }: ServedTest, client: RestClient, email: string, handle: string): Person {
  const pressed: string[] = [];
  let token = '';
  const press = (button: string, method: string, path: string, body?: Json): Promise<Json> => {
    pressed.push(button);
    return client.ask(method, path, { token }, body, { 'X-Agent-Handle': handle });
  };
  return {
    pressed,
    signIn: async () => {
      await client.ask('POST', '/api/auth/session/start', {}, { email });
      const body = { email, code: codeFor(t, email) };
      token = (await press('sign in', 'POST', '/api/auth/session/verify', body)).access_token;
    },
    verifyPhone: async () => {
      const phone = freshPhone();
      const headers = { 'X-Agent-Handle': handle };
      await client.ask('POST', '/api/trust/phone/send', { token }, { phone }, headers);
      await press('verify', 'POST', '/api/trust/phone/verify', { phone, code: codeFor(t, phone) });
    },
    switchOn: async () => {
      await press('autopilot', 'PATCH', `/api/agents/${handle}`, { autopilot: true });
    },
    fund: async (amount_cents) => {
      const { checkout_url } = await press('fund', 'POST', '/api/wallet/fund', { amount_cents });
      expect((await decideOn(t, checkout_url, 'pay')).status).toBe(200);
    },
    approve: (conversation_id, { id, version }) =>
      press('approve', 'POST', `/api/conversations/${conversation_id}/approve`, { proposal_id: id, version }),
    release: (escrow_id, milestone_index) =>
      press('release', 'POST', `/api/wallet/escrow/${escrow_id}/release`, { milestone_index }),
    balance: async () => {
      const headers = { 'X-Agent-Handle': handle };
      return (await client.ask('GET', '/api/wallet/', { token }, undefined, headers)).balance_cents;
    },
  };
}

/** A stranger comes: its agent has a key before there is an agent, and registers itself. */
export async function arrive(served: ServedTest, open: OpenDoor, handle: string): Promise<Side> {
  const client = restClient(served.url);
  const email = `${handle}@example.org`;
  const key = await signUp(served, client, email);
  const door: AgentDoor = await open(served.url, key, handle);
  const made = await door.call('register', { handle, display_name: `The agent of ${handle}` });
  expect(made.handle).toBe(handle);
  return {
    handle,
    key,
    person: personOf(served, client, email, handle),
    act: (act, given) => door.call(act, given),
    close: () => door.close(),
  };
}
