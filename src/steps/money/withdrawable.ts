// The withdrawable part of a wallet: free money, without recent card fundings of any account, which a chargeback may still take
// back.
import { guardedBalance } from '../../../db/queries/ledger.ts';
import type { Read } from '../../../db/store.ts';
import { heldBack } from '../../domain/money/held-money.ts';

export interface Withdrawable {
  readonly balance_cents: number;
  readonly withdrawable_cents: number;
}

/** Reads it for an agent's wallet. By the time of the commit it may be another; what leaves is counted there again. */
export async function readWithdrawable(read: Read, agent_id: string, now_ms: number): Promise<Withdrawable> {
  const account = await read.peek(guardedBalance, { id: `wallet:${agent_id}` });
  if (!account) return { balance_cents: 0, withdrawable_cents: 0 };
  const { balance_cents } = account;
  return { balance_cents, withdrawable_cents: balance_cents - heldBack(account, now_ms) };
}
