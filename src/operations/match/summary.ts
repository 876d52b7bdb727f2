// One match in words, with its possible actions and what its listing lacks. The first read counts toward the allowance as the feed does.
import { Type } from 'typebox';
import { actor, type Ctx, type FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { fault, isFault } from '../../domain/fault.ts';
import type { Explained } from '../../domain/match/missing.ts';
import { nextSteps, readSummary, type SummaryFacts, summaryQuestion, summaryText } from '../../domain/match/summary.ts';
import { fenceWord } from '../../domain/text/fence.ts';
import type { ModelPort } from '../../outbound/negotiator/negotiator.ts';
import { authored, byField, words } from '../../schemas/authored.ts';
import { EXPLAINED, MatchShape } from '../../schemas/match.ts';
import { named, namedObject } from '../../schemas/named.ts';
import { stepShape } from '../../schemas/next-step.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Id, PathId } from '../../schemas/wire.ts';
import { matchSeen } from '../../steps/match/find.ts';
import { type Loaded, show } from '../../steps/match.ts';
import { askModel } from '../conversation/take-turn/model.ts';

const NextStep = named(
  'NextStep',
  stepShape('a call that is possible now', { label: Type.String() }, {}, 'with_or_without'),
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

type SummaryPorts = Pick<FlowPorts, 'clock'> & { readonly negotiator: ModelPort };

/** The facts of the summary, once the match is shown; null without a match. */
function told(ctx: Ctx, loaded: Loaded) {
  const shown = show(ctx, loaded, 1);
  const [view] = shown.views;
  const [found] = loaded.candidates;
  if (!view || !found?.other) return { ...shown, told: null, facts: null };
  const { handle, display_name, headline, trust_score } = found.other;
  const facts: SummaryFacts = {
    ...view,
    my_headline: view.my_listing.headline,
    their_headline: view.their_listing.headline,
    ended_by: found.row.ended_by,
    i_approved: found.row.approved_by.includes(actor(ctx).id),
    they_approved: found.row.approved_by.includes(found.other.id),
  };
  const summary = {
    match_id: view.match_id,
    summary: summaryText(facts),
    reasons: view.reasons,
    next_steps: nextSteps(facts).map((step) => ({ ...step, input: { ...step.input } })),
    counterparty: { handle, display_name, headline, trust_score },
    match: view,
  };
  return { ...shown, told: summary, facts };
}

/** The model's text about a match that may be shown; null where no model is used. */
function inWords(ctx: FlowCtx, ports: SummaryPorts, { told: summary, facts, refusal }: ReturnType<typeof told>) {
  if (!summary || !facts || refusal) return null;
  const question = summaryQuestion(facts, summary.summary, fenceWord(ctx.random));
  return askModel(ctx, ports, { purpose: 'summary', question, read: readSummary });
}

export const matchSummary = flow({
  name: 'match.summary',
  summary: 'Sum up a match',
  description:
    'The two listings, why they fit, the state of the match and possible next calls; and the near misses of your ' +
    'listing, by rule.',
  input: Type.Object({ match_id: PathId }),
  output: authored(
    ({ counterparty }) => byField('handle')(counterparty as Record<string, unknown>),
    namedObject('MatchSummary', 'a summary of a match, with possible calls', {
      match_id: Id,
      summary: words(Type.String({ description: 'a few sentences for a person' })),
      reasons: Type.Array(Type.String()),
      next_steps: Type.Array(NextStep, { description: 'the exact calls' }),
      counterparty: Counterparty,
      match: MatchShape,
      ...EXPLAINED,
    }),
  ),
  example: { match_id: SAMPLE.match_id },
  effect: 'changes',
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: ['not_found', 'plan_limit', 'matching_unavailable'],
  rest: [{ method: 'POST', path: '/api/matching/summary/{match_id}' }],
  tools: [{ name: 'mesh_sum_up_match', title: 'Sum up a match', set: 'matches', extension: true }],
  run: async ({ match_id }, ctx, { explain, negotiator, clock }) => {
    const before = told(ctx, await matchSeen(ctx.read, ctx, match_id));
    // A match that is not shown is not scored.
    const listing_id = before.told?.match.my_listing.id;
    const explained = listing_id === undefined ? null : await explain(ctx, listing_id);
    const { considered, missing }: Explained = explained ?? { considered: 0, missing: [] };
    const advised = negotiator && (await inWords(ctx, { negotiator, clock }, before));
    if (isFault(advised)) return advised;
    return ctx.turn({
      final: true,
      attempt: async (read) => {
        const { told: summary, effects, refusal } = told(ctx, await matchSeen(read, ctx, match_id));
        if (refusal) return refusal;
        if (!summary) return fault('not_found');
        // A text about a match that has changed meanwhile is not shown.
        const is_same = summary.summary === before.told?.summary;
        const text = (is_same && advised?.value) || summary.summary;
        return { reply: { ...summary, summary: text, considered, missing }, effects };
      },
    });
  },
});
