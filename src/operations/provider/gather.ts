// Adds the attempts of the last half minute to the figures of their providers, a slice at a time.
import { Type } from 'typebox';
import { remind, remindNow } from '../../steps/reminder.ts';
import { GATHER, GATHER_MS, gatherSlice, SLICE } from '../../steps/router/gather.ts';
import { command } from '../operation.ts';

export const providerGather = command({
  ...GATHER,
  summary: 'Gather the figures of providers',
  output: Type.Object({ gathered: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, _input, { now_ms }) => gatherSlice(read, now_ms),
  decide: ({ n, effects }, _input, { now_ms }) => {
    const which = { key: '', now_ms };
    // Whoever finds it armed does not arm it: so it looks once more after each time that it found something.
    const again =
      n === SLICE ? [remindNow(GATHER, {}, which)] : [remind(GATHER, {}, { ...which, at: now_ms + GATHER_MS })];
    return { reply: { gathered: n }, effects: [...effects, ...(n > 0 ? again : [])] };
  },
});
