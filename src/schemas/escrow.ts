// An escrow as its two sides see it on the wire (interface.md, Escrow and milestone; rules.md 8).
import { type Static, Type } from 'typebox';
import type { DeliverableColumn } from '../../db/schema/escrow.ts';
import type { Row } from '../../db/schema/tables.ts';
import {
  ESCROW_STATUSES,
  EXPIRES_WITHIN_DAYS,
  endingJournal,
  type FixedTerms,
  fundingJournal,
  MILESTONE_STATUSES,
  NO_TERMS,
  unreleasedCents,
} from '../domain/escrow/escrow.ts';
import type { PlanName } from '../domain/identity/plan.ts';
import { type Proceeds, proceedsOf } from '../domain/money/fee.ts';
import { DAY_MS } from '../domain/time.ts';
import { authored, byField, words } from './authored.ts';
import { PROCEEDS } from './money.ts';
import { named, namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableText, NullableTime, nullable, Time } from './wire.ts';

export const EscrowStatusShape = named(
  'EscrowStatus',
  Type.Enum([...ESCROW_STATUSES], { description: 'refunded: it has ended, and some or all of the money was refunded' }),
);

const Deliverable = authored(
  byField('handle'),
  namedObject('Deliverable', 'a deliverable of a milestone', {
    n: Type.Integer({ minimum: 1, description: 'its number among those of the milestone' }),
    handle: Type.String({ description: 'the seller' }),
    url: words(NullableText),
    description: words(NullableText),
    page_url: words(NullableText),
    links: Type.Array(Type.Object({ name: words(Type.String()), url: words(Type.String()) })),
    submitted_at: Time,
    seen_at: nullable(Time, 'when the buyer first read it'),
  }),
);

const Backlink = namedObject('Backlink', 'the link that a page must contain for automatic release of the milestone', {
  target_url: words(Type.String()),
  require_dofollow: Type.Boolean(),
});

const Milestone = namedObject('Milestone', 'a part of an escrow', {
  milestone_index: Type.Integer({ minimum: 0 }),
  title: words(Type.String()),
  amount_cents: Cents,
  due_at: NullableTime,
  status: named('MilestoneStatus', Type.Enum([...MILESTONE_STATUSES], { description: 'settled: ended by a dispute' })),
  released: Type.Boolean(),
  released_at: NullableTime,
  fee_cents: {
    ...PROCEEDS.fee_cents,
    description: `${PROCEEDS.fee_cents.description}; none for a milestone that ended without its own release`,
  },
  net_cents: PROCEEDS.net_cents,
  journal_id: nullable(Type.String(), 'the journal that released, refunded or settled it; its receipt has the same id'),
  deliverable: nullable(Deliverable, 'the newest'),
  deliverables: Type.Array(Deliverable, { description: 'all, in order; in a list of escrows only the newest' }),
  backlink: nullable(Backlink),
  auto_release_at: nullable(
    Time,
    'when it is released automatically; null if nothing was delivered or no such term agreed',
  ),
});

export const EscrowShape = authored(
  byField('buyer_handle'),
  namedObject('Escrow', 'money held until delivery', {
    id: Id,
    status: EscrowStatusShape,
    total_amount: Type.Number({ description: 'dollars, not cents' }),
    total_amount_cents: Cents,
    currency: Type.Literal('USD'),
    title: words(Type.String()),
    buyer_handle: Type.String(),
    seller_handle: Type.String(),
    milestones: Type.Array(Milestone),
    released_cents: Cents,
    refunded_cents: Cents,
    unreleased_cents: Cents,
    ...PROCEEDS,
    journal_id: Type.String({ description: 'the journal that funded it; its receipt has the same id' }),
    deal_id: Id,
    dispute_id: nullable(Id, 'of the open dispute'),
    conversation_id: nullable(Id),
    listing_id: nullable(Id),
    auto_release_after_days: nullable(Type.Integer({ minimum: 1 })),
    expires_at: NullableTime,
    created_at: Time,
    ended_at: NullableTime,
  }),
);

/** When a milestone is released automatically: so many days after the last delivery. Null while no release is due. */
export function autoReleaseAt(
  escrow: Pick<Row<'escrows'>, 'auto_release_after_days'>,
  { status, deliverable }: Pick<Row<'milestones'>, 'status' | 'deliverable'>,
): number | null {
  const { auto_release_after_days: days } = escrow;
  return days === null || deliverable === null || status !== 'held' ? null : deliverable.at + days * DAY_MS;
}

/** The current sides of an escrow, and earlier deliverables where they are loaded. */
export interface SideHandles {
  readonly buyer_handle: string;
  readonly seller_handle: string;
  readonly seller_plan: PlanName;
  readonly earlier?: readonly Row<'earlier_deliverables'>[];
}

/** What the seller gets of an escrow in all: the released part, and the held part as if it were released now. */
export function escrowProceeds(
  { total_cents, refunded_cents, fee_cents }: Row<'escrows'>,
  milestones: readonly Row<'milestones'>[],
  seller_plan: PlanName,
): Proceeds {
  const held = milestones.filter(({ status }) => status === 'held');
  const fees_cents = fee_cents + proceedsOf(held, seller_plan).fee_cents;
  return { fee_cents: fees_cents, net_cents: total_cents - refunded_cents - fees_cents };
}

/** The same for one milestone. A settled one has its fee at the escrow, and a refunded one has none. */
function partProceeds({ status, amount_cents, fee_cents }: Row<'milestones'>, plan: PlanName): Proceeds {
  if (status === 'held') return proceedsOf([{ amount_cents }], plan);
  return { fee_cents, net_cents: status === 'released' ? amount_cents - fee_cents : 0 };
}

/** All deliverables of a milestone, in order. */
export function deliverablesOf(
  { milestone_index, deliverable }: Row<'milestones'>,
  earlier: readonly Row<'earlier_deliverables'>[],
): DeliverableColumn[] {
  const before = earlier.filter((each) => each.milestone_index === milestone_index).map((each) => each.deliverable);
  return deliverable === null ? [] : [...before, deliverable];
}

function deliverableView(
  { url, description, page_url, at, n = 1, links = [], seen_at = null }: DeliverableColumn,
  handle: string,
): Static<typeof Deliverable> {
  const said = { n, handle, url, description, page_url, links: links.map((link) => ({ ...link })) };
  return { ...said, submitted_at: iso(at), seen_at: isoOrNull(seen_at) };
}

function milestoneView(
  escrow: Row<'escrows'>,
  row: Row<'milestones'>,
  { seller_handle, seller_plan, earlier = [] }: SideHandles,
): Static<typeof Milestone> {
  const { milestone_index, title, amount_cents, due_at, status, deliverable, backlink } = row;
  // A dispute without a refund has paid every milestone that it settled.
  const released = status === 'released' || (status === 'settled' && escrow.status === 'completed');
  return {
    milestone_index,
    title,
    amount_cents,
    due_at: isoOrNull(due_at),
    status,
    released,
    released_at: released ? isoOrNull(row.released_at ?? row.ended_at) : null,
    ...partProceeds(row, seller_plan),
    journal_id: endingJournal(row),
    deliverable: deliverable && deliverableView(deliverable, seller_handle),
    deliverables: deliverablesOf(row, earlier).map((each) => deliverableView(each, seller_handle)),
    backlink: backlink && { target_url: backlink.target_url, require_dofollow: backlink.require_dofollow },
    auto_release_at: escrow.status === 'active' ? isoOrNull(autoReleaseAt(escrow, row)) : null,
  };
}

/** The wire shape of an escrow; `milestones` are all of its milestones, in order. */
export function escrowView(
  row: Row<'escrows'>,
  milestones: readonly Row<'milestones'>[],
  sides: SideHandles,
): Static<typeof EscrowShape> {
  return {
    id: row.id,
    status: row.status,
    total_amount: row.total_cents / 100,
    total_amount_cents: row.total_cents,
    currency: 'USD',
    title: row.title,
    buyer_handle: sides.buyer_handle,
    seller_handle: sides.seller_handle,
    milestones: milestones.map((milestone) => milestoneView(row, milestone, sides)),
    released_cents: row.released_cents,
    refunded_cents: row.refunded_cents,
    unreleased_cents: unreleasedCents(row),
    ...escrowProceeds(row, milestones, sides.seller_plan),
    journal_id: fundingJournal(row.id),
    deal_id: row.deal_id,
    dispute_id: row.dispute_id,
    conversation_id: row.conversation_id,
    listing_id: row.terms.listing_id,
    auto_release_after_days: row.auto_release_after_days,
    expires_at: isoOrNull(row.expires_at),
    created_at: iso(row.created_at),
    ended_at: isoOrNull(row.ended_at),
  };
}

// The terms of an escrow as input (opening, checkout, proposal, price quote) and as both sides read them in a proposal or a deal.

/** Without both, only the buyer releases. */
export const ESCROW_TERMS = {
  auto_release_after_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 90,
      description: 'days after delivery until automatic release, unless you act first; default: never',
    }),
  ),
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: `undelivered milestones are refunded at this time; within ${EXPIRES_WITHIN_DAYS} days; default: never`,
    }),
  ),
};

export const EscrowTermsShape = namedObject(
  'EscrowTerms',
  'the terms of an escrow; if both are null, only the buyer releases',
  {
    auto_release_after_days: nullable(Type.Integer({ minimum: 1 })),
    expires_at: NullableTime,
  },
);

/** The wire shape of terms; without terms, that of `NO_TERMS`. */
export function escrowTermsView(terms: FixedTerms | null): Static<typeof EscrowTermsShape> {
  const { auto_release_after_days, expires_at } = terms ?? NO_TERMS;
  return { auto_release_after_days, expires_at: isoOrNull(expires_at) };
}
