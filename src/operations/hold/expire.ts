// Voids an expired hold: the money returns to its wallet and to the limits that had counted it, and the call that it was held for is given up.
import { Type } from 'typebox';
import { routerCallById } from '../../../db/queries/router.ts';
import { holdById } from '../../../db/queries/wallet.ts';
import { command } from '../../contract/operation.ts';
import { EXPIRE_HOLD, expireHold } from '../../steps/money/hold.ts';
import { giveUp } from '../../steps/router/expire.ts';
import { readCutOff } from '../../steps/router/offered.ts';

export const holdExpire = command({
  ...EXPIRE_HOLD,
  noun: 'Holds: money reserved until its purpose has ended.',
  summary: 'Return the money of expired holds',
  output: Type.Object({ voided: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict', 'spending_limit'],
  load: async (read, { hold_id }) => {
    const hold = await read(holdById, { id: hold_id });
    const subject_id = hold?.kind === 'call' ? hold.subject_id : null;
    const call = subject_id === null ? null : await read(routerCallById, { id: subject_id });
    return { hold, found: await readCutOff(read, call) };
  },
  decide: ({ hold, found }, _input, ctx) => {
    const { voided, effects } = hold ? expireHold(ctx, hold) : { voided: false, effects: [] };
    return { reply: { voided }, effects: [...effects, ...(voided ? giveUp(ctx, found) : [])] };
  },
});
