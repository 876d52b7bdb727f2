// Tells a person that a wallet runs low, by a letter with the page on which it is funded. Every payment out of a wallet asks here
// (spend.ts); the letter is written by a run of its own, so that a payment reads nothing for it.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { isToTell } from '../../domain/money/low-balance.ts';
import type { Ctx } from '../../operations/context.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** What its reminders know of the operation that writes the letter. */
export const WARN = { name: 'wallet.warn', input: Type.Object({ agent_id: Id }) } as const;

/** What of a wallet decides it. */
export interface LowState {
  readonly wallet: Row<'wallets'> | null;
  /** What it held before the payment. */
  readonly before_cents: number;
}

/** The effects of a payment that leaves little; none where there is enough, or its person knows. */
export function warnWhenLow(
  ctx: Ctx,
  agent_id: string,
  { wallet, before_cents }: LowState,
  amount_cents: number,
): Effect<never>[] {
  const tells = isToTell({
    before_cents,
    after_cents: before_cents - amount_cents,
    low_cents: wallet?.low_balance_cents ?? null,
    told: typeof wallet?.low_told_at === 'number',
  });
  if (!tells) return [];
  const told = { low_told_at: ctx.now_ms };
  return [
    wallet ? patch('wallets', wallet, told) : insert('wallets', { id: agent_id, ...told }, 'ignore'),
    remind(WARN, { agent_id }, { key: agent_id, at: ctx.now_ms, now_ms: ctx.now_ms }),
  ];
}
