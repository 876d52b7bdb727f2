// Agents for tests of what agents do: the account and its key come by the real signup, the agent's rows are written as
// its own operations would leave them, so that these tests stand whatever those operations ask for.
import { apply, type Effect, insert } from '../../db/effects.ts';
import { accountByEmail } from '../../db/queries/identity.ts';
import { signUp, type TestAnswer, type TestService } from './service.ts';

export interface TestAgent {
  readonly handle: string;
  readonly id: string;
  readonly account_id: string;
  readonly key: string;
  /** A call with the agent's key. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
}

/** Writes effects in one turn. */
export async function write(test: TestService, ...effects: Effect[]): Promise<void> {
  await test.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
}

/** Marks an agent as verified, as its first proof does. */
export async function verify(test: TestService, agent: { readonly id: string }): Promise<void> {
  const verified_at = test.clock.now();
  await write(test, apply('agents', agent.id, () => ({ verified_at })));
}

/** A listed agent with an account and key of its own; `verified: false` leaves the gate closed. */
export async function addAgent(
  test: TestService,
  handle: string,
  { verified = true, plan = 'free' }: { verified?: boolean; plan?: 'free' | 'pro' } = {},
): Promise<TestAgent> {
  const { world } = test.service;
  const email = `${handle}@example.org`;
  const key = await signUp(test, email);
  const account = await world.store.read(accountByEmail, { email });
  if (!account) throw new Error(`signing ${email} up made no account`);
  const now_ms = test.clock.now();
  const id = world.id();
  const row = {
    id,
    account_id: account.id,
    handle,
    display_name: handle,
    kind: 'company' as const,
    offers: [],
    seeks: [],
    geo: null,
    industry: [],
    visibility: 'listed' as const,
    bounds: {},
    availability: null,
    social_links: {},
    wake: {},
    credentials: [],
    verified_at: verified ? now_ms : null,
    created_at: now_ms,
    updated_at: now_ms,
  };
  await write(
    test,
    insert('agents', row),
    insert('handles', { id: handle, kind: 'current', agent_id: id, email: null, expires_at: null }),
    apply('accounts', account.id, () => ({ plan })),
  );
  const call: TestAgent['call'] = (method, path, body, headers) => test.call(method, path, { key, body, headers });
  return { handle, id, account_id: account.id, key, call };
}
