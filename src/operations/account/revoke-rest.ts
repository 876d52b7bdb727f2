// Goes on ending keys, sessions and programs of an account that has more of them than one turn ends.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { REVOKE_REST, revokeSlice } from './revoke-all/slice.ts';

export const accountRevokeRest = command({
  ...REVOKE_REST,
  summary: 'Revoke the rest of the keys and sessions',
  output: Type.Object({ changed: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, asked, ctx) => revokeSlice(read, asked, ctx),
  decide: ({ effects }) => ({ reply: { changed: effects.length }, effects }),
});
