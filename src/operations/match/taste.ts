// Shows what was learnt from an agent's answers, to the agent itself: in words, with the underlying counts and the limits of its influence.

import { Type } from 'typebox';
import { agentToMatch, tasteById } from '../../../db/queries/match.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { ANSWERS_MAX, SAID } from '../../domain/match/signal.ts';
import { ALIKE_MIN, HALF_LIFE_MS, learntOf, TASTE_MAX, tasteText } from '../../domain/match/taste.ts';
import { DAY_MS } from '../../domain/time.ts';
import { words } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { nullable } from '../../schemas/wire.ts';

/** The strongest parts first; the rest has almost no influence. */
const LEARNT_MAX = 50;

const Learnt = namedObject('TasteLearnt', 'what was learned about one label, place, price or agent', {
  as: nullable(Type.String(), 'card type and direction of your listings that it applies to; null for all'),
  about: Type.Enum(['label', 'place', 'price', 'agent']),
  what: words(Type.String({ description: 'the label, the place, the share of the budget, the handle' })),
  interested: Type.Integer({ minimum: 0, description: 'accounts whose listings you accepted or saved' }),
  declined: Type.Integer({ minimum: 0, description: 'accounts whose listings you declined for it' }),
  shift: Type.Number({
    description: 'its effect on your order, on the scale of score; 0 while there are too few answers',
  }),
  text: words(Type.String({ description: 'the same as a text for people' })),
});

export const matchTaste = query({
  name: 'match.taste',
  summary: 'Read what was learned from your answers',
  description:
    'Your preferences, learned from interested, saved, declined with a reason code, and blocked. They change the ' +
    'order of your own matches within shift_max, never a score, and are not visible to others.',
  input: Type.Object({}),
  output: namedObject('Taste', 'what was learned from your answers', {
    answers: Type.Integer({ minimum: 0, description: 'answers that are used' }),
    said: Type.Partial(Type.Object(Object.fromEntries(SAID.map((said) => [said, Type.Integer({ minimum: 1 })])))),
    answers_max: Type.Integer({ description: 'the limit; the oldest are dropped first' }),
    alike_min: Type.Integer({ description: 'similar answers, about as many accounts, before the order changes' }),
    half_life_days: Type.Integer({ description: 'the half-life of an answer' }),
    shift_max: Type.Number({ description: 'the most that a match can move, on the scale of score' }),
    learnt: Type.Array(Learnt, { description: `the strongest first, ${LEARNT_MAX} at most` }),
  }),
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/matching/taste' }],
  tools: [
    { name: 'mesh_see_taste', title: 'Read what was learned from your answers', set: 'matches', extension: true },
  ],
  run: async (read, _input, ctx) => {
    const signals = (await read(tasteById, { id: actor(ctx).id }))?.signals ?? [];
    const strongest = learntOf(signals, ctx.now_ms).slice(0, LEARNT_MAX);
    const learnt = [];
    for (const { as, part } of strongest) {
      // Agents are shown by their current handles.
      const other = part.kind === 'agent' ? await read(agentToMatch, { id: part.what }) : null;
      const what = part.kind === 'agent' ? (other?.handle ?? '') : part.what;
      const { likes: interested, declines: declined, shift } = part;
      learnt.push({ as, about: part.kind, what, interested, declined, shift, text: tasteText({ ...part, what }) });
    }
    const said = Object.fromEntries(
      [...Map.groupBy(signals, (signal) => signal.said)].map(([k, all]) => [k, all.length]),
    );
    return {
      answers: signals.length,
      said,
      answers_max: ANSWERS_MAX,
      alike_min: ALIKE_MIN,
      half_life_days: HALF_LIFE_MS / DAY_MS,
      shift_max: TASTE_MAX,
      learnt,
    };
  },
});
