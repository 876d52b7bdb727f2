// Agents with keys, and threads between them, for tests of conversations and inboxes.
import { openConversation } from '../../src/operations/conversation/open.ts';
import type { Ctx } from '../../src/operations/operation.ts';
import { signUp, type TestService } from './service.ts';

export interface TestAgent {
  readonly id: string;
  readonly handle: string;
  readonly account_id: string;
  readonly key: string;
}

/** Signs up an account with one agent. */
export async function agentNamed(t: TestService, handle: string): Promise<TestAgent> {
  const key = await signUp(t, `${handle}@example.org`);
  const answer = await t.call('POST', '/api/agents', { key, body: { handle, display_name: handle } });
  if (answer.status !== 201) throw new Error(`creating ${handle} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { id: answer.body.id, handle, account_id: answer.body.account_id ?? handle, key };
}

/** What effects need of a call, as if an agent's account had called. */
export function ctxOf(t: TestService, account_id: string): Ctx {
  const partial: Partial<Ctx> = {
    principal: {
      kind: 'internal',
      account_id,
      plan: 'pro',
      scopes: new Set(),
      provisional: false,
      key_agent_id: null,
      credential_id: null,
      guard: null,
    },
    account_id,
    now_ms: t.clock.now(),
    world: t.service.world,
    id: () => t.service.world.id(),
  };
  // Only what openConversation and tell look at.
  return partial as Ctx;
}

/** Opens a thread as the operations do that start one; answers its id. */
export async function openThread(t: TestService, opener: TestAgent, other: TestAgent, subject = 'A rope'): Promise<string> {
  const ctx = ctxOf(t, opener.account_id);
  const { conversation_id, effects } = openConversation(ctx, { opener, other, match_id: null, subject });
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
  return conversation_id;
}
