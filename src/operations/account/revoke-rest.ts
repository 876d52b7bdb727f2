// Ends the next slice of an account's credentials after account.revoke_all, which ends one slice in its turn.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { REVOKE_REST, revokeSlice } from './revoke-all/slice.ts';

export const accountRevokeRest = command({
  ...REVOKE_REST,
  summary: 'Revoke the remaining keys and sessions',
  output: Type.Object({ changed: Type.Integer() }),
  effect: 'destroys',
  access: 'internal',
  load: (read, asked, ctx) => revokeSlice(read, asked, ctx),
  decide: ({ effects }) => ({ reply: { changed: effects.length }, effects }),
});
