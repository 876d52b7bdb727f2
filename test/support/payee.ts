// A connected payout account, as a person leaves the page of the built-in processor.
import { insert } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import type { TestAgent } from './agents.ts';
import type { TestService } from './testbed.ts';

/** Connects the account of an agent for payouts to a bank. */
export async function connectPayee(
  { service, clock }: TestService,
  { id }: Pick<TestAgent, 'id'>,
  name = 'Test Bank',
): Promise<void> {
  const { store } = service.world;
  const agent = await store.read(agentById, { id });
  if (!agent) throw new Error(`no agent has the id ${id}`);
  const at = clock.now();
  const payee = {
    id: agent.account_id,
    processor: 'sandbox',
    external_id: `sandbox_${id}`,
    details_submitted: 1,
    payouts_enabled: 1,
    bank: { name, country: 'US', last4: '6789' },
    agent_id: id,
    created_at: at,
    updated_at: at,
  };
  await store.turn({ attempt: async () => ({ reply: null, effects: [insert('payees', payee)] }) });
}
