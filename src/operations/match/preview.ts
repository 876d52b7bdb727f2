// The matches of a draft if it went live now, by scoring alone: without stores, events, counts or learning. It shows the
// fields that a run would show, and no more matches than the month's allowance.
import { type Static, Type } from 'typebox';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import type { Previewed } from '../../contract/ports.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { completenessOf } from '../../domain/listing/listing.ts';
import { isVisible } from '../../domain/text/visible.ts';
import { CompletenessShape, GATE_FIELDS } from '../../schemas/listing.ts';
import { ListingGiven } from '../../schemas/listing-input.ts';
import { EXPLAINED, PreviewedShape } from '../../schemas/match.ts';
import { reasonsView } from '../../schemas/match-reason.ts';
import { namedObject } from '../../schemas/named.ts';
import { nullable } from '../../schemas/wire.ts';
import { contentOf, type ListingContent } from '../../steps/listing/content.ts';
import { readReviewing } from '../../steps/listing/find.ts';
import { gateReport, gateStatus } from '../../steps/listing/gates.ts';
import { needsReview, nicheFault } from '../../steps/listing/review.ts';
import { matchesLeft } from '../../steps/match/find.ts';

/** Enough to judge a draft; a live listing has more. */
const SHOWN_MAX = 10;

/** Whether there is nothing to compare. */
function saysNothing({ headline, description, labels }: ListingContent): boolean {
  return labels.length === 0 && !isVisible(headline) && !isVisible(description);
}

function shownOf({ best }: Previewed): Static<typeof PreviewedShape>[] {
  return best.map(({ handle, listing, score, reasons, my_side }) => ({
    counterparty_handle: handle,
    their_listing: listing,
    score,
    score_percent: Math.round(score * 100),
    ...reasonsView(reasons),
    my_side,
  }));
}

const NOTES = {
  empty: 'The draft has no labels and no text yet, so there is nothing to compare.',
  hidden: 'Your agent is hidden, so it is not matched; set its visibility to listed or stealth.',
  without_texts: 'The meaning of the texts could not be compared now; only labels and words were used.',
  none_in_common:
    'No listing that your agent may match shares a label or words with the draft yet. Once it is live, new listings are matched automatically.',
} as const;

/** Why nothing was compared, or less than in a run. */
function noteOf(content: ListingContent, previewed: Previewed | null): keyof typeof NOTES | null {
  if (saysNothing(content)) return 'empty';
  if (!previewed) return 'hidden';
  if (!previewed.with_texts) return 'without_texts';
  return previewed.explained.considered > 0 ? null : 'none_in_common';
}

export const matchPreview = query({
  name: 'match.preview',
  summary: 'Preview the matches of a draft',
  description:
    'Takes a listing as for its creation and returns its ten best matches, the candidates that are none, ' +
    'and what it lacks to go live. Stores nothing and notifies no one; invalid input is refused ' +
    'as for its creation. Shows at most the monthly matches left in your plan, and is refused if none are left.',
  input: ListingGiven,
  output: namedObject('MatchPreview', 'the matches of a draft if it went live now', {
    matches: Type.Array(PreviewedShape, { description: 'best first, at most ten' }),
    ...EXPLAINED,
    completeness: CompletenessShape,
    gate_status: GATE_FIELDS.gate_status,
    gate_report: GATE_FIELDS.gate_report,
    note: nullable(Type.String(), 'why nothing was found, or less was compared than in a run, if so'),
    note_code: nullable(Type.Enum(['empty', 'hidden', 'without_texts', 'none_in_common']), 'the same as a code'),
    took_ms: Type.Number({ minimum: 0 }),
  }),
  example: {
    card_type: 'selling',
    headline: 'Logo design in two days',
    labels: ['logo-design'],
    price_cents: 50_000,
  },
  access: 'key',
  scope: 'matching:run',
  agent: 'required',
  faults: [
    'invalid_request',
    'direction_mismatch',
    'disclosure_refused',
    'restricted_niche',
    'unsupported_currency',
    'plan_limit',
    'matching_unavailable',
    'not_found',
  ],
  rest: [{ method: 'POST', path: '/api/matching/preview' }],
  tools: [{ name: 'mesh_preview_listing', title: 'Preview the matches of a draft', set: 'matches', extension: true }],
  run: async (read, input, ctx, { preview }) => {
    const started_ms = performance.now();
    const allowance = await matchesLeft(read, ctx);
    if (isFault(allowance)) return allowance;
    const content = await contentOf(input, null, ctx.id);
    if (isFault(content)) return content;
    const { id: agent_id, account_id, handle } = actor(ctx);
    const doubts = await readReviewing(read, content, null, handle);
    const refused = doubts.told ?? nicheFault(doubts);
    if (refused) return refused;
    const [agent, claims] = await Promise.all([
      read.peek(agentById, { id: agent_id }),
      read.peek(claimsOfAgent, { agent_id }),
    ]);
    if (!agent || agent.deactivated_at !== null) return fault('not_found');
    const draft = { ...content, id: ctx.id(), agent_id, account_id };
    const limit = Math.min(SHOWN_MAX, allowance.left ?? SHOWN_MAX);
    const previewed = saysNothing(content) ? null : await preview(draft, limit, ctx.now_ms);
    const { considered, missing } = previewed?.explained ?? { considered: 0, missing: [] };
    const status = needsReview(doubts) ? 'pending_review' : 'draft';
    const gate_report = gateReport({ ...content, status }, { agent, claims }, ctx.secrets.code_key);
    const { complete, missing: lacking } = completenessOf(content);
    const note_code = noteOf(content, previewed);
    return {
      matches: previewed ? shownOf(previewed) : [],
      considered,
      missing,
      completeness: { complete, missing: [...lacking] },
      gate_status: gateStatus(gate_report),
      gate_report,
      note: note_code && NOTES[note_code],
      note_code,
      took_ms: Math.round((performance.now() - started_ms) * 100) / 100,
    };
  },
});
