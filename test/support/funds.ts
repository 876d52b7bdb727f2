// Money in a wallet, as a test needs it: by the whole way, a person who pays on the processor's page; or at once, as that leaves it.
import { insert } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { fault, isFault } from '../../src/domain/fault.ts';
import { post } from '../../src/domain/money/ledger.ts';
import type { TestAgent } from './agents.ts';
import type { TestService } from './testbed.ts';

/** Presses a button of a page of the sandbox; answers the page that follows. */
export async function decideOn(t: TestService, url: string, decision: 'pay' | 'cancel'): Promise<Response> {
  const body = new URLSearchParams({ decision }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return t.fetch(new Request(url, { method: 'POST', headers, body }));
}

/** Asks for money as the agent's person and pays it; answers the funding's id. */
export async function giveFunds(
  t: TestService,
  { token, handle }: Pick<TestAgent, 'token' | 'handle'>,
  amount_cents: number,
): Promise<string> {
  const asked = await t.call('POST', '/api/wallet/fund', { token, agent: handle, body: { amount_cents } });
  if (asked.status !== 200) throw new Error(`funding answered ${asked.status}: ${JSON.stringify(asked.body)}`);
  const paid = await decideOn(t, asked.body.checkout_url, 'pay');
  if (paid.status !== 200) throw new Error(`paying answered ${paid.status}`);
  return asked.body.funding_id;
}

/** The rows and the journal of a paid funding, put into the store at once and told to nobody; held for so long. */
export async function putFunds(t: TestService, agent_id: string, amount_cents: number, hold_ms = 0): Promise<string> {
  const { store, id: newId } = t.service.world;
  const [id, now] = [newId(), t.clock.now()];
  const outcome = await store.turn({
    attempt: async (read) => {
      const agent = await read.peek(agentById, { id: agent_id });
      if (!agent) throw new Error(`no agent has the id ${agent_id}`);
      const names = { id, agent_id, account_id: agent.account_id, amount_cents, processor: 'sandbox', url: null };
      const paid = { status: 'paid' as const, external_id: `sandbox_${id}`, payment_id: `sandbox_payment_${id}` };
      const held_until = now + hold_ms;
      const times = { withdrawable_at: held_until, paid_at: now, ended_at: now, created_at: now };
      const decided = { id, kind: 'funding' as const, decision: 'paid' as const, amount_cents, created_at: now };
      const journal = { id: `fund:${id}`, kind: 'fund', subject_id: id, created_at: now };
      const leg = { debit: 'processor', credit: `wallet:${agent_id}`, amount_cents, held_until } as const;
      return {
        reply: null,
        effects: [
          insert('fundings', { ...names, ...paid, ...times, reason: null, taken_back_cents: 0, version: 1 }),
          insert('sandbox_objects', decided),
          post(journal, [leg], 'again', { same: 'exists', other: fault('conflict') }),
        ],
      };
    },
  });
  if (isFault(outcome)) throw new Error(`the funds could not be put: ${outcome.fault}`);
  return id;
}
