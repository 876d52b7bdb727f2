// A dispute as its two sides see it on the wire (interface.md, Dispute; rules.md 8).
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { allTo, DISPUTE_STATUSES, phaseAt, type Side } from '../domain/escrow/dispute.ts';
import { closingJournal, type EscrowStatus } from '../domain/escrow/escrow.ts';
import type { PlanName } from '../domain/identity/plan.ts';
import { type Proceeds, proceedsOf } from '../domain/money/fee.ts';
import { TRANSFER_MAX_CENTS } from '../domain/money/ledger.ts';
import { authored, byField, words } from './authored.ts';
import { EscrowStatusShape } from './escrow.ts';
import { PROCEEDS } from './money.ts';
import { named, namedObject } from './named.ts';
import { Cents, Id, iso, NullableTime, nullable, Time } from './wire.ts';

/** The split of the unreleased money; both amounts are required, so that none is implied by leaving it out. */
export const SplitFields = {
  refund_cents: Type.Integer({ minimum: 0, maximum: TRANSFER_MAX_CENTS, description: 'back to the buyer' }),
  release_cents: Type.Integer({ minimum: 0, maximum: TRANSFER_MAX_CENTS, description: 'to the seller, fee included' }),
};

const SideShape = Type.Enum(['buyer', 'seller']);

const Evidence = authored(
  byField('by'),
  namedObject('DisputeEvidence', 'evidence of one side, unchangeable', {
    by: Type.String({ description: 'handle' }),
    side: SideShape,
    statement: words(Type.String()),
    links: words(Type.Array(Type.String())),
    at: Time,
    hash: Type.String({ description: 'SHA-256, base64url, over the previous piece and this one' }),
  }),
);

const Proposal = namedObject('SettlementProposal', 'a proposed split of the unreleased amount', {
  by: Type.String({ description: 'handle' }),
  refund_cents: Cents,
  release_cents: Cents,
  ...PROCEEDS,
  at: Time,
});

const Resolution = namedObject('DisputeResolution', 'how a dispute ended', {
  outcome: Type.Enum(['settled', 'conceded', 'withdrawn', 'defaulted', 'ruled']),
  refund_cents: Cents,
  release_cents: Cents,
  fee_cents: nullable(Cents, 'null until it is booked'),
  net_cents: nullable(Cents, 'what the seller got; null until it is booked'),
  note: nullable(Type.String({ description: 'of the administrator who ruled' })),
  journal_id: nullable(
    Type.String(),
    'the journal of the payment; its receipt has the same id; null if nothing moved yet',
  ),
  at: Time,
});

export const DisputeShape = authored(
  byField('opened_by'),
  namedObject('Dispute', 'a dispute about an escrow', {
    id: Id,
    escrow_id: Id,
    status: named('DisputeStatus', Type.Enum([...DISPUTE_STATUSES])),
    escrow_status: EscrowStatusShape,
    reason: words(Type.String()),
    opened_by: Type.String({ description: 'handle' }),
    respondent: Type.String({ description: 'handle' }),
    your_side: nullable(SideShape, 'null for an administrator'),
    respond_by: Time,
    responded_at: NullableTime,
    unreleased_cents: Cents,
    fee_cents: { ...Cents, description: 'of unreleased_cents, if all of it were released to the seller' },
    net_cents: { ...Cents, description: 'what the seller would get then' },
    proposal: nullable(Proposal),
    evidence: Type.Array(Evidence),
    resolution: nullable(Resolution),
    created_at: Time,
  }),
);

export type DisputeView = Static<typeof DisputeShape>;

export interface DisputeNames {
  readonly your_side: Side | null;
  readonly escrow_status: EscrowStatus;
  readonly buyer: { readonly id: string; readonly handle: string };
  readonly seller: { readonly id: string; readonly handle: string };
  readonly seller_plan: PlanName;
}

/** The outcome of a dispute whose deadline passed unanswered, also before it is booked. */
function decidedByTime(
  row: Row<'disputes'>,
  opener_side: Side,
  now_ms: number,
): Pick<DisputeView, 'status' | 'resolution'> | null {
  if (phaseAt(row, now_ms) !== 'overdue') return null;
  const split = allTo(opener_side, row.unreleased_cents);
  return {
    status: 'defaulted',
    // The fee follows the seller's plan at the time of booking.
    resolution: {
      outcome: 'defaulted',
      ...split,
      fee_cents: null,
      net_cents: null,
      note: null,
      journal_id: null,
      at: iso(row.respond_by),
    },
  };
}

/** The wire shape of a dispute with all its evidence, at an instant. */
export function disputeView(
  row: Row<'disputes'>,
  evidence: readonly Row<'dispute_evidence'>[],
  { your_side, escrow_status, buyer, seller, seller_plan }: DisputeNames,
  now_ms: number,
): DisputeView {
  const sideOf = (agent_id: string): Side => (agent_id === buyer.id ? 'buyer' : 'seller');
  const handleOf = (agent_id: string): string => (agent_id === buyer.id ? buyer : seller).handle;
  // A settlement is released at once, so it bears one fee.
  const released = (amount_cents: number): Proceeds => proceedsOf([{ amount_cents }], seller_plan);
  const { proposal, resolution } = row;
  return {
    id: row.id,
    escrow_id: row.escrow_id,
    status: row.status,
    escrow_status,
    reason: row.reason,
    opened_by: handleOf(row.opened_by),
    respondent: handleOf(row.respondent),
    your_side,
    respond_by: iso(row.respond_by),
    responded_at: row.responded_at === null ? null : iso(row.responded_at),
    unreleased_cents: row.unreleased_cents,
    ...released(row.unreleased_cents),
    proposal: proposal && {
      by: handleOf(proposal.by),
      refund_cents: proposal.refund_cents,
      release_cents: proposal.release_cents,
      ...released(proposal.release_cents),
      at: iso(proposal.at),
    },
    evidence: evidence.map(({ by, statement, links, created_at, hash }) => ({
      by: handleOf(by),
      side: sideOf(by),
      statement,
      links: [...links],
      at: iso(created_at),
      hash,
    })),
    resolution: resolution && {
      ...resolution,
      net_cents: resolution.release_cents - resolution.fee_cents,
      journal_id: resolution.outcome === 'withdrawn' ? null : closingJournal('settle', row.escrow_id),
      at: iso(resolution.at),
    },
    created_at: iso(row.created_at),
    ...decidedByTime(row, sideOf(row.opened_by), now_ms),
  };
}
