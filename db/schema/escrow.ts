// Escrows with their milestones, and disputes with their evidence.
import { sql } from 'drizzle-orm';
import { NO_BOUNDS } from '../../src/domain/agent/bounds.ts';
import type { BoundsColumn } from './agent.ts';
import type { Builders } from './builders.ts';
import { blank, blankBy, inner, keep, type OwnedRow, stays } from './personal.ts';

/** A seller's delivery for a milestone. */
export interface DeliverableColumn {
  readonly url: string | null;
  readonly description: string | null;
  /** Of a backlink: the page that is to hold it. */
  readonly page_url: string | null;
  readonly by: string;
  readonly at: number;
  /** Its place among those of the milestone; the first, unless said. */
  readonly n?: number;
  readonly links?: readonly DeliverableLink[];
  /** When the buyer first read the escrow with it. */
  readonly seen_at?: number | null;
}

export interface DeliverableLink {
  readonly name: string;
  readonly url: string;
}

/** The link that a page must have for a milestone to be released automatically; set by the buyer. */
export interface BacklinkColumn {
  readonly target_url: string;
  readonly require_dofollow: boolean;
}

/** How an escrow was agreed: who bought, and the bounds of both sides' agents at that time. */
export interface AgreedColumn {
  readonly by: 'person' | 'program';
  readonly buyer_bounds: BoundsColumn;
  readonly seller_bounds: BoundsColumn;
}

/** The terms of the sold listing when the escrow was made. */
export interface TermsColumn {
  readonly listing_id: string | null;
  readonly headline: string | null;
  readonly slug: string | null;
  readonly tier_id: string | null;
  readonly tier_name: string | null;
  readonly buyer_email: string | null;
  /** Escrows that were opened before it was kept have none. */
  readonly agreed?: AgreedColumn;
}

export interface ProposalColumn {
  readonly by: string;
  readonly refund_cents: number;
  readonly release_cents: number;
  readonly at: number;
}

export interface ResolutionColumn {
  readonly outcome: 'settled' | 'conceded' | 'withdrawn' | 'defaulted' | 'ruled';
  readonly refund_cents: number;
  readonly release_cents: number;
  readonly fee_cents: number;
  readonly note: string | null;
  readonly at: number;
}

/** Without what one side's person set: its bounds, and where the buyer's receipt went. */
function withoutSide({ agreed, ...terms }: TermsColumn, { buyer_id }: OwnedRow, owner_id: string): TermsColumn {
  const buys = buyer_id === owner_id;
  const bounds = buys ? { buyer_bounds: NO_BOUNDS } : { seller_bounds: NO_BOUNDS };
  return { ...terms, ...(buys && { buyer_email: null }), ...(agreed && { agreed: { ...agreed, ...bounds } }) };
}

// Without a return type: drizzle infers the row types from this literal.
export function escrowTables(b: Builders) {
  const escrows = b.table(
    'escrows',
    {
      id: b.id(),
      buyer_id: b.code('buyer_id', keep).notNull(),
      buyer_account_id: b.code('buyer_account_id', keep).notNull(),
      seller_id: b.code('seller_id', keep).notNull(),
      seller_account_id: b.code('seller_account_id', keep).notNull(),
      title: b.text('title', stays('what a deal was about is both sides’ record')).notNull(),
      status: b.code<'active' | 'completed' | 'disputed' | 'refunded'>('status', keep).notNull(),
      total_cents: b.int('total_cents', keep).notNull(),
      /** The money that left it: to the seller including the fee, and back to the buyer. */
      released_cents: b.int('released_cents', keep).notNull().default(0),
      refunded_cents: b.int('refunded_cents', keep).notNull().default(0),
      fee_cents: b.int('fee_cents', keep).notNull().default(0),
      deal_id: b.code('deal_id', keep).notNull(),
      conversation_id: b.code('conversation_id', keep),
      /** Its origin: `checkout` is a purchase of a listing. */
      origin: b.code<'escrow' | 'checkout'>('origin', keep).notNull(),
      terms: b.json<TermsColumn>('terms', blankBy(withoutSide)).notNull(),
      auto_release_after_days: b.int('auto_release_after_days', keep),
      expires_at: b.int('expires_at', keep),
      /** The open dispute. */
      dispute_id: b.code('dispute_id', keep),
      created_at: b.int('created_at', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      version: b.version(),
    },
    (t) => [
      b.index('escrows_buyer').on(t.buyer_id, t.id),
      b.index('escrows_seller').on(t.seller_id, t.id),
      b.index('escrows_buyer_open').on(t.buyer_id).where(sql`ended_at IS NULL`),
      b.index('escrows_seller_live').on(t.seller_id).where(sql`ended_at IS NULL`),
      b
        .index('escrows_held')
        .on(t.created_at, t.total_cents, t.released_cents, t.refunded_cents)
        .where(sql`ended_at IS NULL`),
    ],
  );
  /** The id is the escrow's with the milestone's place: `<escrow>.0`. */
  const milestones = b.table(
    'milestones',
    {
      id: b.id(),
      escrow_id: b.code('escrow_id', keep).notNull(),
      milestone_index: b.int('milestone_index', keep).notNull(),
      title: b.text('title', stays('what a deal was about is both sides’ record')).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      due_at: b.int('due_at', keep),
      status: b.code<'held' | 'released' | 'refunded' | 'settled'>('status', keep).notNull(),
      /** What ended it: a side, evidence, its terms, a settled dispute. */
      ended_by: b.code<'buyer' | 'seller' | 'evidence' | 'terms' | 'dispute'>('ended_by', keep),
      fee_cents: b.int('fee_cents', keep).notNull().default(0),
      deliverable: b.json<DeliverableColumn | null>(
        'deliverable',
        stays('what a deal was about is both sides’ record'),
      ),
      backlink: b.json<BacklinkColumn | null>('backlink', stays('what a deal was about is both sides’ record')),
      checked_at: b.int('checked_at', keep),
      released_at: b.int('released_at', keep),
      ended_at: b.int('ended_at', keep),
      version: b.version(),
    },
    (t) => [b.index('milestones_escrow').on(t.escrow_id)],
  );
  /** Earlier deliveries; the milestone has the newest. The id is the milestone's with the place. */
  const earlier_deliverables = b.table(
    'earlier_deliverables',
    {
      id: b.id(),
      escrow_id: b.code('escrow_id', keep).notNull(),
      milestone_index: b.int('milestone_index', keep).notNull(),
      n: b.int('n', keep).notNull(),
      deliverable: b
        .json<DeliverableColumn>('deliverable', stays('what a deal was about is both sides’ record'))
        .notNull(),
    },
    (t) => [b.index('earlier_deliverables_escrow').on(t.escrow_id)],
  );
  const disputes = b.table(
    'disputes',
    {
      id: b.id(),
      escrow_id: b.code('escrow_id', keep).notNull(),
      /** The agents. */
      opened_by: b.code('opened_by', keep).notNull(),
      respondent: b.code('respondent', keep).notNull(),
      reason: b.text('reason', blank('', 'opened_by')).notNull(),
      status: b.code<'open' | 'responded' | 'settled' | 'withdrawn' | 'ruled' | 'defaulted'>('status', keep).notNull(),
      respond_by: b.int('respond_by', keep).notNull(),
      responded_at: b.int('responded_at', keep),
      unreleased_cents: b.int('unreleased_cents', keep).notNull(),
      proposal: b.json<ProposalColumn | null>('proposal', stays('amounts')),
      resolution: b.json<ResolutionColumn | null>(
        'resolution',
        stays('what a dispute ended with is both sides’ record'),
      ),
      /** How many pieces of evidence there are: the last one's place. */
      evidence: b.int('evidence', keep).notNull().default(0),
      /** Hash of the last piece, which seals all before it. */
      evidence_hash: b.code('evidence_hash', keep).notNull().default(''),
      created_at: b.int('created_at', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      version: b.version(),
    },
    (t) => [
      b.index('disputes_escrow').on(t.escrow_id, t.id),
      b.index('disputes_live').on(t.id).where(sql`ended_at IS NULL`),
    ],
  );
  /** Append-only; the id is the dispute's with the piece's place. */
  const dispute_evidence = b.table(
    'dispute_evidence',
    {
      id: b.id(),
      dispute_id: b.code('dispute_id', keep).notNull(),
      n: b.int('n', keep).notNull(),
      by: b.code('by', keep).notNull(),
      statement: b.text('statement', blank('')).notNull(),
      links: b.json<readonly string[]>('links', blank([])).notNull(),
      /** SHA-256, base64url, over the piece before it and what this one says. */
      hash: b.code('hash', inner(keep)).notNull(),
      created_at: b.int('created_at', keep).notNull(),
    },
    (t) => [b.index('dispute_evidence_dispute').on(t.dispute_id)],
  );
  return { escrows, milestones, earlier_deliverables, disputes, dispute_evidence };
}
