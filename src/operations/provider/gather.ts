// Adds the attempts of the last half minute to the figures of their providers, a slice at a time.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { remind } from '../../steps/reminder.ts';
import { GATHER, GATHER_MS, gatherSlice, SLICE, SLICE_PAUSE_MS } from '../../steps/router/gather.ts';

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
    // Whoever finds it armed does not arm it: so it looks once more after each time that it found something.
    const at = now_ms + (n === SLICE ? SLICE_PAUSE_MS : GATHER_MS);
    const again = remind(GATHER, {}, { key: '', at, now_ms });
    return { reply: { gathered: n }, effects: [...effects, ...(n > 0 ? [again] : [])] };
  },
});
