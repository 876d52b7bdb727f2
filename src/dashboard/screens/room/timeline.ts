// Past events and due dates of a conversation, its deal, escrow and dispute, as one list.
import { money } from '../../parts/format.ts';
import type { Moment } from '../../parts/show.tsx';
import type { Output } from '../../server.ts';
import { words } from '../../words/words.ts';
import type { Proposal } from '../approvals/proposal.ts';
import type { Deal, Dispute, Escrow, Meeting } from './next-step.ts';

const known = (all: readonly (Moment | null | false)[]): Moment[] =>
  all.filter((each) => each !== null && each !== false);

/** Times of an escrow's milestones and terms. */
export function escrowMoments({ status, milestones, created_at, expires_at, ended_at }: Escrow): Moment[] {
  const { escrows } = words;
  const held = status === 'active';
  const ofMilestones = milestones.flatMap(
    ({ title, deliverable, released_at, due_at, auto_release_at, ...milestone }) => [
      deliverable && { at: deliverable.submitted_at, text: escrows.delivered(title) },
      released_at !== null && { at: released_at, text: escrows.paid(title) },
      held && milestone.status === 'held' && due_at !== null && { at: due_at, text: escrows.due(title) },
      auto_release_at !== null && { at: auto_release_at, text: escrows.paysItself(title) },
    ],
  );
  return known([
    { at: created_at, text: escrows.opened },
    ...ofMilestones,
    held && expires_at !== null && { at: expires_at, text: escrows.expires },
    ended_at !== null && { at: ended_at, text: escrows.ended },
  ]);
}

/** A dispute's events and due dates. */
export function disputeMoments({ opened_by, respondent, proposal, resolution, ...dispute }: Dispute): Moment[] {
  const { escrows } = words;
  return known([
    { at: dispute.created_at, text: escrows.disputeOpened(`@${opened_by}`) },
    dispute.responded_at !== null && { at: dispute.responded_at, text: escrows.answered(`@${respondent}`) },
    ...dispute.evidence.map(({ at, by }) => ({ at, text: escrows.said(`@${by}`) })),
    proposal && { at: proposal.at, text: escrows.proposed(`@${proposal.by}`) },
    dispute.status === 'open' && { at: dispute.respond_by, text: escrows.answerBy(`@${respondent}`) },
    resolution && { at: resolution.at, text: escrows.outcomes[resolution.outcome] },
  ]);
}

function dealMoments({ created_at, amount_cents, reviews, counterparty_handle }: Deal): Moment[] {
  const { room, common } = words;
  return [
    { at: created_at, text: room.agreed(money(amount_cents)) },
    ...reviews.map(({ handle, at }) => ({
      at,
      text: room.reviewed(handle === counterparty_handle ? `@${handle}` : common.you),
    })),
  ];
}

interface Told {
  readonly talk: Pick<Output<'conversation.read'>, 'created_at'>;
  readonly match: Pick<Output<'match.summary'>['match'], 'created_at'> | null;
  readonly proposals: readonly Proposal[];
  readonly meetings: readonly Meeting[];
  readonly deal: Deal | null;
  readonly escrow: Escrow | null;
  readonly dispute: Dispute | null;
}

/** All of it. */
export function momentsOf({ talk, match, proposals, meetings, deal, escrow, dispute }: Told): Moment[] {
  const { room } = words;
  return [
    ...(match ? [{ at: match.created_at, text: room.matched }] : []),
    { at: talk.created_at, text: room.begun },
    ...proposals.map(({ by, amount_cents, created_at: at }) => ({
      at,
      text: room.proposed(`@${by}`, money(amount_cents)),
    })),
    ...meetings.map(({ starts_at: at }) => ({ at, text: room.meeting })),
    ...(deal ? dealMoments(deal) : []),
    ...(escrow ? escrowMoments(escrow) : []),
    ...(dispute ? disputeMoments(dispute) : []),
  ];
}
