// Proposes a split of the unreleased money; it replaces any earlier proposal of either side.
import { count, type Effect, patch } from '../../../db/effects.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { disputeFault, PROPOSALS_MAX, phaseAt, type Split, splitFault } from '../../domain/escrow/dispute.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { proceedsOf } from '../../domain/money/fee.ts';
import { describe, step } from '../../domain/next-step.ts';
import { DisputeShape, disputeView, SplitFields } from '../../schemas/dispute.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn, type OwnDispute, roleScopeFault } from '../../steps/dispute/find.ts';
import { firstWord } from '../../steps/dispute/respond.ts';
import { settlementAnswered, settlementSubject } from '../../steps/dispute/settlement.ts';
import { type Recipient, tell } from '../../steps/event.ts';

const TOO_MANY = fault('conflict', `A side can propose at most ${PROPOSALS_MAX} times.`);

/** The events for both sides; that of the other one asks for an answer. */
function news(ctx: Ctx, { dispute, state }: OwnDispute, split: Split): Effect<never>[] {
  const { buyer, seller, seller_plan } = state;
  const { id: dispute_id, escrow_id } = dispute;
  const respond_by = new Date(dispute.respond_by).toISOString();
  const sums = { ...split, ...proceedsOf([{ amount_cents: split.release_cents }], seller_plan) };
  const data = { escrow_id, dispute_id, respond_by, ...sums, proposed_by: actor(ctx).handle };
  const asked = { subject_id: settlementSubject(dispute, ctx.now_ms) };
  const told = (to: Recipient, other: Recipient): Effect<never> =>
    tell(
      ctx,
      to,
      'escrow.dispute_proposed',
      { ...data, counterparty_handle: other.handle },
      to.id === actor(ctx).id ? {} : asked,
    );
  return [told(buyer, seller), told(seller, buyer)];
}

export const disputePropose = command({
  name: 'dispute.propose',
  summary: 'Propose a settlement',
  description: describe`Both amounts together have to equal the unreleased amount. The other side settles with ${step('dispute.accept', 'refund_cents', 'release_cents')} and the same amounts, or rejects with ${step('dispute.reject', 'refund_cents', 'release_cents')}. A respondent's first proposal counts as its answer. Both get \`escrow.dispute_proposed\`.`,
  input: namedObject('SettlementInput', 'a split of the unreleased amount', {
    escrow_id: PathId,
    ...SplitFields,
  }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.disputed_escrow_id, refund_cents: 2000, release_cents: 3000 },
  effect: 'changes',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  faults: [
    'not_found',
    'not_a_party',
    'insufficient_scope',
    'invalid_request',
    'window_closed',
    'not_open',
    'already_resolved',
    'wrong_role',
    'conflict',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute/propose' }],
  tools: [{ name: 'mesh_propose_settlement', title: 'Propose a settlement', set: 'wallet' }],
  load: (read, { escrow_id }, ctx) => loadDispute(read, escrow_id, ctx),
  decide: (found, { refund_cents, release_cents }, ctx) => {
    if (isFault(found)) return found;
    const { dispute, evidence, role, side, state } = found;
    const refusal =
      roleScopeFault(ctx, role) ??
      disputeFault(phaseAt(dispute, ctx.now_ms), 'propose', role) ??
      splitFault({ refund_cents, release_cents }, dispute.unreleased_cents);
    if (refusal) return refusal;
    const word = firstWord(ctx, found, null);
    const split = { refund_cents, release_cents };
    const set = { ...word.set, proposal: { by: actor(ctx).id, refund_cents, release_cents, at: ctx.now_ms } };
    return {
      reply: disputeView({ ...dispute, ...set }, evidence, namesIn(state, side), ctx.now_ms),
      effects: [
        count(`proposals:${dispute.id}:${actor(ctx).id}`, PROPOSALS_MAX, TOO_MANY),
        patch('disputes', dispute, set),
        ...word.effects,
        ...settlementAnswered(ctx, found, null),
        ...news(ctx, found, split),
      ],
    };
  },
});
