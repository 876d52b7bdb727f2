// Agents for tests, made through the real API: signed up, signed in, named, and verified by a phone where asked.
import { insert, patch } from '../../db/effects.ts';
import { accountByEmail } from '../../db/queries/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../../src/contract/context.ts';
import { PROVISIONAL_SCOPES } from '../../src/domain/identity/scope.ts';
import { NOBODY } from '../../src/pipeline/principals.ts';
import { blankAgent } from '../../src/steps/agent/blank.ts';
import { mintApiKey } from '../../src/steps/key.ts';
import { codeFor, signUp, type TestService } from './testbed.ts';

export interface TestAgent {
  readonly key: string;
  /** An access token of a session; it lives 15 minutes of service time. */
  readonly token: string;
  readonly handle: string;
  readonly id: string;
  readonly email: string;
}

export interface TestAgentOptions {
  readonly handle: string;
  /** `HANDLE@example.org` unless said; an address that is known gets one more agent. */
  readonly email?: string;
  readonly verified?: boolean;
  readonly pro?: boolean;
  /** More of the body of POST /api/agents. */
  readonly body?: Record<string, unknown>;
}

function expectStatus(what: string, answer: { status: number; body: unknown }, status: number): void {
  if (answer.status !== status) throw new Error(`${what} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Signs a person in and answers the access token. */
export async function signIn(test: TestService, email: string): Promise<string> {
  expectStatus('session/start', await test.call('POST', '/api/auth/session/start', { body: { email } }), 200);
  const body = { email, code: codeFor(test, email) };
  const answer = await test.call('POST', '/api/auth/session/verify', { body });
  expectStatus('session/verify', answer, 200);
  return answer.body.access_token;
}

let phones = 0;

/** A phone number of fiction that no other agent of the tests has. */
export function freshPhone(): string {
  phones += 1;
  return `+1555${String(phones).padStart(7, '0')}`;
}

/** Proves a phone for an agent, as its human would. */
export async function verifyPhone(
  test: TestService,
  token: string,
  agent: string,
  phone = freshPhone(),
): Promise<void> {
  expectStatus('phone/send', await test.call('POST', '/api/trust/phone/send', { token, agent, body: { phone } }), 200);
  const body = { phone, code: codeFor(test, phone) };
  expectStatus('phone/verify', await test.call('POST', '/api/trust/phone/verify', { token, agent, body }), 200);
}

/** Puts the account of an address on the Pro plan. */
export async function makePro(test: TestService, email: string): Promise<void> {
  await test.service.world.store.turn({
    attempt: async (read) => {
      const account = await read(accountByEmail, { email });
      if (!account) throw new Error(`no account has the address ${email}`);
      return { reply: null, effects: [patch('accounts', account, { plan: 'pro' })] };
    },
  });
}

/** A new agent with its key and a session of its human. */
export async function newAgent(test: TestService, options: TestAgentOptions): Promise<TestAgent> {
  const { handle, email = `${handle}@example.org`, verified = false, pro = false, body = {} } = options;
  const key = await signUp(test, email);
  const token = await signIn(test, email);
  const made = await test.call('POST', '/api/agents', { key, body: { handle, display_name: handle, ...body } });
  expectStatus('creating an agent', made, 201);
  if (pro) await makePro(test, email);
  if (verified) await verifyPhone(test, token, handle);
  return { key, token, handle, id: made.body.id, email };
}

/** A provisional agent with its key, put into the store as provisioning would. */
export async function newProvisional(
  test: TestService,
  handle: string,
): Promise<{ key: string; agent: Row<'agents'> }> {
  const { world } = test.service;
  const ctx: Ctx = {
    principal: NOBODY,
    account_id: '',
    agent: null,
    now_ms: test.clock.now(),
    ip: '127.0.0.1',
    trace: null,
    language: null,
    refresh_token: null,
    credential_ends_at: Number.POSITIVE_INFINITY,
    settings: world.settings,
    secrets: world.secrets,
    addresses: world.addresses,
    form: world.addresses,
    id: world.id,
    random: world.random,
  };
  const account_id = world.id();
  const names = { account_id, handle, display_name: handle };
  const agent: Row<'agents'> = { ...blankAgent(ctx, names), provisional: 1, visibility: 'hidden' };
  const wanted = { account_id, agent_id: agent.id, name: 'provision', kind: 'provisional' as const };
  const key = mintApiKey(ctx, { ...wanted, scopes: PROVISIONAL_SCOPES });
  await world.store.turn({
    attempt: async () => ({
      reply: null,
      effects: [
        insert('accounts', { id: account_id, email: null, plan: 'free', provisional: 1, created_at: ctx.now_ms }),
        insert('handles', { id: handle, kind: 'current', agent_id: agent.id, email: null, expires_at: null }),
        insert('agents', agent),
        ...key.effects,
      ],
    }),
  });
  return { key: key.api_key, agent };
}

/** The id of the account of an address. */
export async function accountOf(test: TestService, email: string): Promise<string> {
  const account = await test.service.world.store.read(accountByEmail, { email });
  return account?.id ?? Bun.randomUUIDv7();
}
