// Asks the processor for the state of an account's payout connection, after a hint or by its reminder.
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { FOLLOW_PAYEE } from '../../steps/payee/follow.ts';
import { lookAtPayee } from './follow/ask.ts';

export const payeeFollow = flow({
  ...FOLLOW_PAYEE,
  summary: 'Check the state of a payout connection',
  output: Type.Object({ payouts_enabled: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  run: async ({ account_id }, ctx, ports) => {
    const row = await lookAtPayee(ctx, ports, account_id);
    return { reply: { payouts_enabled: row?.payouts_enabled === 1 } };
  },
});
