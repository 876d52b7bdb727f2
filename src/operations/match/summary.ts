// One match in words, with what can be done about it. Reading it for the first time counts as the feed does.

import { Type } from 'typebox';
import { matchById } from '../../../db/queries/match.ts';
import { fault } from '../../domain/fault.ts';
import { nextSteps, type SummaryFacts, summaryText } from '../../domain/match/summary.ts';
import { authored, byField, words } from '../../schemas/authored.ts';
import { MatchShape, visibleTo } from '../../schemas/match.ts';
import { named, namedObject } from '../../schemas/named.ts';
import { stepShape } from '../../schemas/next-step.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { show, withAllowance } from '../../steps/match.ts';
import { actor } from '../context.ts';
import { command } from '../operation.ts';

const NextStep = named(
  'NextStep',
  stepShape('a call that makes sense now', { label: Type.String() }, {}, 'with_or_without'),
);

const Counterparty = authored(
  byField('handle'),
  namedObject('Counterparty', 'the other side, in brief', {
    handle: Type.String(),
    display_name: words(Type.String()),
    headline: words(Type.String()),
    trust_score: Type.Integer(),
  }),
);

export const matchSummary = command({
  name: 'match.summary',
  summary: 'Sum up a match',
  description: 'What meets what, why it fits, where it stands and what can be done now.',
  input: Type.Object({ match_id: PathId }),
  output: authored(
    ({ counterparty }) => byField('handle')(counterparty as Record<string, unknown>),
    namedObject('MatchSummary', 'a match in words, with what can be done now', {
      match_id: Id,
      summary: words(Type.String({ description: 'a few sentences for a person' })),
      reasons: words(Type.Array(Type.String())),
      next_steps: Type.Array(NextStep, { description: 'the exact calls' }),
      counterparty: Counterparty,
      match: MatchShape,
    }),
  ),
  example: { match_id: SAMPLE.match_id },
  effect: 'changes',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: ['not_found', 'plan_limit'],
  rest: [{ method: 'POST', path: '/api/matching/summary/{match_id}' }],
  tools: [{ name: 'mesh_sum_up_match', title: 'Sum up a match', set: 'matches', extension: true }],
  load: async (read, { match_id }, ctx) => {
    const row = await read.peek(matchById, { match_id });
    const rows = row && visibleTo(row, actor(ctx).id) ? [row] : [];
    return withAllowance(read, ctx, rows);
  },
  decide: (loaded, { match_id }, ctx) => {
    const { views, effects, refusal } = show(ctx, loaded, 1);
    if (refusal) return refusal;
    const [view] = views;
    const [found] = loaded.candidates;
    if (!view || !found?.other) return fault('not_found');
    const { handle, display_name, headline, trust_score } = found.other;
    const facts: SummaryFacts = {
      ...view,
      my_headline: view.my_listing.headline,
      their_headline: view.their_listing.headline,
      i_approved: found.row.approved_by.includes(actor(ctx).id),
      they_approved: found.row.approved_by.includes(found.other.id),
    };
    return {
      reply: {
        match_id,
        summary: summaryText(facts),
        reasons: view.reasons,
        next_steps: nextSteps(facts).map((step) => ({ ...step, input: { ...step.input } })),
        counterparty: { handle, display_name, headline, trust_score },
        match: view,
      },
      effects,
    };
  },
});
