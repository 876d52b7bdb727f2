// Resets what was learnt from an agent's answers: from now on its matches are ordered by score alone. The answers
// themselves stay, and later answers are learnt from again.
import { Type } from 'typebox';
import { remove } from '../../../db/effects.ts';
import { tasteById } from '../../../db/queries/match.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';

export const matchResetTaste = command({
  name: 'match.reset_taste',
  summary: 'Reset what was learned from your answers',
  description:
    'Your matches are then ordered by score only. The answers stay, and your next answers are ' + 'learnt anew.',
  input: Type.Object({}),
  output: namedObject('TasteForgotten', 'the result of a reset', {
    forgotten: Type.Integer({ minimum: 0, description: 'answers that were used' }),
  }),
  effect: 'destroys',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  rest: [{ method: 'DELETE', path: '/api/matching/taste' }],
  tools: [
    { name: 'mesh_reset_taste', title: 'Reset what was learned from your answers', set: 'matches', extension: true },
  ],
  load: async (read, _input, ctx) => ({ taste: await read(tasteById, { id: actor(ctx).id }) }),
  decide: ({ taste }) => ({
    reply: { forgotten: taste?.signals.length ?? 0 },
    effects: taste ? [remove('tastes', taste)] : [],
  }),
});
