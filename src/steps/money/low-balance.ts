// Warns a person of a low wallet, by a letter with a link to fund it. Every payment out of a wallet checks it (spend.ts); a
// reminder writes the letter, so that a payment reads nothing for it.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Payer } from '../../../db/queries/wallet.ts';
import type { Ctx } from '../../contract/context.ts';
import { isToTell } from '../../domain/money/low-balance.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** The call that writes the letter. */
export const WARN = { name: 'wallet.warn', input: Type.Object({ agent_id: Id }) } as const;

/** The effects of a payment that leaves little; none when there is enough, or its person was told. */
export function warnWhenLow(ctx: Ctx, payer: Payer, amount_cents: number): Effect<never>[] {
  const { id, settings_version: version, low_balance_cents: low_cents, low_told_at } = payer;
  const before_cents = payer.balance_cents ?? 0;
  const after_cents = before_cents - amount_cents;
  if (!isToTell({ before_cents, after_cents, low_cents, told: low_told_at !== null })) return [];
  const told = { low_told_at: ctx.now_ms };
  return [
    version === null ? insert('wallets', { id, ...told }, 'ignore') : patch('wallets', { id, version }, told),
    remind(WARN, { agent_id: id }, { key: id, at: ctx.now_ms, now_ms: ctx.now_ms }),
  ];
}
