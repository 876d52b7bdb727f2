// The remaining budget of the key that started a subscription. Each charge counts against that budget like a payment by the key. A
// renewed key keeps its budget; a revoked or expired one has none, and so its subscriptions have none.
import { keyById } from '../../../db/queries/identity.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { BudgetColumn } from '../../../db/schema/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Principal } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { budgetDayKey, budgetFault, budgetKey } from '../money/spend.ts';
import { isInForce, keysSince } from '../session/find.ts';

/** The budget of a key with what was spent of it. */
export interface Allotment {
  readonly budget: BudgetColumn;
  /** Whether the key, or one that took its place, is still in force. */
  readonly stands: boolean;
  readonly today_cents: number;
  readonly total_cents: number;
}

/** The API key of a call, or the key that registered the calling token's key pair; null for other credentials. */
export function keyIdOf({ guard }: Pick<Principal, 'guard'>): string | null {
  const row = guard?.table === 'agents' ? guard.under : guard;
  return row?.table === 'api_keys' ? row.id : null;
}

/** Whether a key or one of its successors is in force. */
async function stands(read: Read, { id }: Row<'api_keys'>, now_ms: number): Promise<boolean> {
  for await (const key of keysSince(read, id)) if (isInForce(key, now_ms)) return true;
  return false;
}

/** Reads it for a subscription's key; null without a budget. */
export async function readAllotment(
  read: Read,
  { key_id }: Pick<Row<'subscriptions'>, 'key_id'>,
  now_ms: number,
): Promise<Allotment | null> {
  const key = key_id === null ? null : await read(keyById, { id: key_id });
  if (!key?.budget) return null;
  const { budget } = key;
  const [today, total] = await Promise.all([
    read.peek(counterById, { id: budgetDayKey(budget.id, now_ms) }),
    read.peek(counterById, { id: budgetKey(budget.id) }),
  ]);
  return {
    budget,
    stands: await stands(read, key, now_ms),
    today_cents: today?.n ?? 0,
    total_cents: total?.n ?? 0,
  };
}

/** Whether a charge fits into it now. */
export function isAllotted(
  { budget, stands, today_cents, total_cents }: Allotment,
  { amount_cents, seller_id }: Pick<Row<'subscriptions'>, 'amount_cents' | 'seller_id'>,
): boolean {
  const { per_day_cents, total_cents: most } = budget;
  if (!stands || budgetFault(budget, { amount_cents, to_id: seller_id }) !== null) return false;
  if (per_day_cents !== null && today_cents + amount_cents > per_day_cents) return false;
  return most === null || total_cents + amount_cents <= most;
}

/** The refusal of a payment above the remaining total budget, on any day, or null. */
export function overTotal({ budget, total_cents }: Allotment, amount_cents: number): Fault<'spending_limit'> | null {
  const most = budget.total_cents;
  if (most === null || total_cents + amount_cents <= most) return null;
  const data = {
    limit: 'budget.total_cents',
    limit_cents: most,
    used_cents: total_cents,
    left_cents: most - total_cents,
  };
  return fault('spending_limit', `This is above budget.total_cents, which is ${most} cents.`, data);
}
