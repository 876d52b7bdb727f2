// Collects an account's debts from money that came into its wallets; each hour while it owes anything, and at once after a deposit.
import { Type } from 'typebox';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import { openReceivables } from '../../../db/queries/processor.ts';
import type { Read } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { post } from '../../domain/money/ledger.ts';
import { COLLECT, type Collected, collectLater, repay } from '../../steps/money/receivable.ts';
import { unremind } from '../../steps/reminder.ts';

/** Collects as much as each wallet holds, the oldest debt first. */
async function collect(read: Read, account_id: string, now_ms: number): Promise<Collected> {
  const effects: Collected['effects'][number][] = [];
  const reach = new Map<string, number>();
  let owed_cents = 0;
  for (const row of await read(openReceivables, { account_id })) {
    const { id, agent_id } = row;
    const wallet = `wallet:${agent_id}` as const;
    const holds = reach.get(agent_id) ?? (await read(guardedBalance, { id: wallet }))?.balance_cents ?? 0;
    const open = row.amount_cents - row.repaid_cents;
    const taken = Math.min(holds, open);
    reach.set(agent_id, holds - taken);
    owed_cents += open - taken;
    if (taken === 0) continue;
    // The amount repaid before is part of the id, so that each part is collected once.
    const journal = { id: `receivable:${id}:${row.repaid_cents}`, kind: 'receivable', subject_id: row.funding_id };
    const leg = { debit: wallet, credit: 'receivables' as const, amount_cents: taken };
    const taking = post({ ...journal, created_at: now_ms }, [leg], 'again', fault('conflict'));
    effects.push(taking, ...repay(row, taken));
  }
  effects.push(owed_cents > 0 ? collectLater(account_id, now_ms) : unremind(COLLECT, account_id));
  return { owed_cents, effects };
}

export const chargebackCollect = command({
  ...COLLECT,
  summary: 'Collect the debt of an account',
  output: Type.Object({ owed_cents: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['account_restricted', 'open_obligations', 'conflict'],
  load: (read, { account_id }, { now_ms }) => collect(read, account_id, now_ms),
  decide: ({ owed_cents, effects }) => ({ reply: { owed_cents }, effects }),
});
