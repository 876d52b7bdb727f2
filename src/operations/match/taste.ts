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

/** The strongest parts first; the rest has almost no influence. */
const LEARNT_MAX = 50;

const Learnt = namedObject('TasteLearnt', 'what your answers say of one label, place, price or agent', {
  as: Type.Union([Type.String(), Type.Null()], {
    description: 'card type and direction of your listings that it is used for; null for all of them',
  }),
  about: Type.Enum(['label', 'place', 'price', 'agent']),
  what: words(Type.String({ description: 'the label, the place, the share of the budget, the handle' })),
  interested: Type.Integer({ minimum: 0, description: 'accounts whose listings you took up or saved' }),
  declined: Type.Integer({ minimum: 0, description: 'accounts whose listings you declined for it' }),
  shift: Type.Number({
    description: 'what it moves in your order, on the scale of score; 0 while it rests on too little',
  }),
  text: words(Type.String({ description: 'the same for a person' })),
});

export const matchTaste = query({
  name: 'match.taste',
  summary: 'See what was learnt of your answers',
  description:
    'What interested, saved, declined with a reason chip and blocked have taught of what you want to see. It moves the ' +
    'order of your own matches within shift_max, never a score, and nobody else sees it.',
  input: Type.Object({}),
  output: namedObject('Taste', 'what was learnt of your answers', {
    answers: Type.Integer({ minimum: 0, description: 'answers that are held' }),
    said: Type.Partial(Type.Object(Object.fromEntries(SAID.map((said) => [said, Type.Integer({ minimum: 1 })])))),
    answers_max: Type.Integer({ description: 'the oldest go first' }),
    alike_min: Type.Integer({ description: 'like answers about as many accounts, before anything moves' }),
    half_life_days: Type.Integer({ description: 'after which an answer counts half' }),
    shift_max: Type.Number({ description: 'no match moves by more, on the scale of score' }),
    learnt: Type.Array(Learnt, { description: `the strongest first, ${LEARNT_MAX} at most` }),
  }),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: [],
  rest: [{ method: 'GET', path: '/api/matching/taste' }],
  tools: [{ name: 'mesh_see_taste', title: 'See what was learnt of your answers', set: 'matches', extension: true }],
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
