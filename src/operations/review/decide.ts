// Decides a review. An approved listing proceeds to its next gate, a refused one stays with its owner, who is told either
// way; a report is only marked, since the administrator acts on it separately.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { reviewById } from '../../../db/queries/review.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { statusAfterReview } from '../../domain/listing/state.ts';
import { Review, readAbout, reviewView } from '../../schemas/review.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { tell } from '../../steps/event.ts';
import { followChange } from '../../steps/listing/derived.ts';
import { factsOf } from '../../steps/listing/gates.ts';
import { UNDOUBTED } from '../../steps/listing/review.ts';
import { embed, unchangedWords } from '../../steps/listing/vectors.ts';

/** The decider where the operator used the platform token. */
const PLATFORM = 'platform';

export const reviewDecide = command({
  name: 'review.decide',
  noun: 'Reviews by administrators: held listings, and reports about agents.',
  summary: 'Decide a review',
  description:
    'approve: true publishes a held listing if it is complete and its gates pass, else moves it to its next gate; ' +
    'false leaves it inactive with the decision in its gate_report. The owner gets listing.reviewed. A report is marked as decided.',
  input: Type.Object({ id: PathId, approve: Type.Boolean() }),
  output: Review,
  example: { id: SAMPLE.review_id, approve: true },
  effect: 'destroys',
  access: 'admin',
  faults: ['not_found', 'already_decided'],
  rest: [{ method: 'POST', path: '/api/admin/reviews/{id}' }],
  load: async (read, { id }, _ctx, ports) => {
    const review = await read(reviewById, { id });
    if (!review) return null;
    const subject = await readAbout(read, review);
    const claims = await read(claimsOfAgent, { agent_id: review.agent_id });
    const [embedding] = await embed(read, ports, unchangedWords(subject.listing ? [subject.listing] : []));
    return { review, subject, claims, embedding };
  },
  decide: (state, { approve }, ctx) => {
    if (!state) return fault('not_found');
    const { review, subject, claims, embedding } = state;
    if (review.status !== 'open') return fault('already_decided', 'This review was already decided.');
    const status: Row<'reviews'>['status'] = approve ? 'approved' : 'rejected';
    const decision = { status, decided_by: ctx.account_id || PLATFORM, decided_at: ctx.now_ms };
    const decided = { ...review, ...decision };
    const marked = patch('reviews', review, decision);
    const { agent, listing } = subject;
    if (!listing || !agent) return { reply: reviewView(decided, subject), effects: [marked] };
    const facts = factsOf(listing, { agent, claims }, UNDOUBTED);
    const gates_passed = facts.gates_passed && agent.verified_at !== null;
    const wanted = approve && agent.deactivated_at === null;
    const set = {
      status: statusAfterReview(listing.status, wanted, { ...facts, gates_passed }),
      updated_at: ctx.now_ms,
    };
    const after = { ...listing, ...set };
    const news = { listing_id: listing.id, headline: listing.headline, approved: approve, status: after.status };
    return {
      reply: reviewView(decided, { ...subject, listing: after }),
      effects: [
        marked,
        patch('listings', listing, set),
        tell(ctx, agent, 'listing.reviewed', { ...news, reason: review.reason }),
        ...followChange(ctx, listing, after, embedding),
      ],
    };
  },
});
