// Money in wallets, for tests that spend it: put there as a paid funding would, and read from the ledger's own rows.
import { insert } from '../../db/effects.ts';
import { guardedBalance } from '../../db/queries/ledger.ts';
import { fault } from '../../src/domain/fault.ts';
import { post } from '../../src/domain/money/ledger.ts';
import type { TestService } from './testbed.ts';

/** Puts money into an agent's wallet; `id` names the funding, a new one unless said. */
export async function fundWallet(
  { service, clock }: TestService,
  agent_id: string,
  amount_cents: number,
  id: string = service.world.id(),
): Promise<void> {
  const journal = { id: `fund:${id}`, kind: 'fund', subject_id: id, created_at: clock.now() };
  const leg = { debit: 'processor' as const, credit: `wallet:${agent_id}` as const, amount_cents };
  const now_ms = clock.now();
  const paid = {
    status: 'paid',
    processor: 'sandbox',
    paid_at: now_ms,
    withdrawable_at: now_ms,
    ended_at: now_ms,
  } as const;
  const effects = [
    insert('fundings', { id, agent_id, account_id: agent_id, amount_cents, created_at: now_ms, ...paid }),
    post(journal, [leg], fault('conflict'), fault('conflict')),
  ];
  await service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
}

/** What an account of the ledger holds. */
export async function balanceOf({ service }: TestService, account: string): Promise<number> {
  return (await service.world.store.read(guardedBalance, { id: account }))?.balance_cents ?? 0;
}
