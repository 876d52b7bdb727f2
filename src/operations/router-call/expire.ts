// Gives up a routed call that its process never completed: nothing was charged, and a repeat is told that the outcome is unknown.
import { Type } from 'typebox';
import { routerCallById } from '../../../db/queries/router.ts';
import { command } from '../../contract/operation.ts';
import { EXPIRE_CALL, giveUp } from '../../steps/router/expire.ts';
import { readCutOff } from '../../steps/router/offered.ts';

export const routerCallExpire = command({
  ...EXPIRE_CALL,
  summary: 'End an interrupted routed call',
  output: Type.Object({ given_up: Type.Boolean() }),
  effect: 'changes',
  access: 'internal',
  load: async (read, { call_id }) => readCutOff(read, await read(routerCallById, { id: call_id })),
  decide: (found, _input, ctx) => {
    const effects = giveUp(ctx, found);
    return { reply: { given_up: effects.length > 0 }, effects };
  },
});
