// Voids held money whose time has passed without an end: it goes back to its wallet and to the limits that had counted it.
import { Type } from 'typebox';
import { holdById } from '../../../db/queries/wallet.ts';
import { EXPIRE_HOLD, expireHold } from '../../steps/money/hold.ts';
import { command } from '../operation.ts';

export const holdExpire = command({
  ...EXPIRE_HOLD,
  noun: 'Holds: money set aside until what it is for has ended.',
  summary: 'Give held money back whose time has passed',
  output: Type.Object({ voided: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict', 'spending_limit'],
  rest: [],
  load: (read, { hold_id }) => read(holdById, { id: hold_id }),
  decide: (hold, _input, ctx) => {
    const { voided, effects } = hold ? expireHold(ctx, hold) : { voided: false, effects: [] };
    return { reply: { voided }, effects };
  },
});
