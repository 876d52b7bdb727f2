// What of a wallet may leave it for a bank: not what was paid in by card lately, which a chargeback may still take back. As long as
// such money is held, so much of the wallet stays; what is spent meanwhile is taken to be other money first.

import { guardedBalance } from '../../../db/queries/ledger.ts';
import { heldFundings } from '../../../db/queries/payout.ts';
import type { Read } from '../../../db/store.ts';

export interface Withdrawable {
  readonly balance_cents: number;
  /** What was paid in and is not free yet. */
  readonly held_back_cents: number;
  readonly withdrawable_cents: number;
}

/** Reads it for an agent's wallet. The balance is peeked at: by the time of the commit it may be another. */
export async function readWithdrawable(read: Read, agent_id: string, now_ms: number): Promise<Withdrawable> {
  const [account, fundings] = await Promise.all([
    read.peek(guardedBalance, { id: `wallet:${agent_id}` }),
    read(heldFundings, { agent_id, now_ms }),
  ]);
  const balance_cents = account?.balance_cents ?? 0;
  const held_back_cents = fundings.reduce((sum, { amount_cents, taken_back_cents }) => {
    return sum + Math.max(0, amount_cents - taken_back_cents);
  }, 0);
  return { balance_cents, held_back_cents, withdrawable_cents: Math.max(0, balance_cents - held_back_cents) };
}
