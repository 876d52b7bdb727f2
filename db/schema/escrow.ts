// Escrows with their milestones, and disputes with their evidence.
import { sql } from 'drizzle-orm';
import type { BoundsColumn } from './agent.ts';
import type { Builders } from './builders.ts';

/** What a seller handed over for a milestone. */
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

/** What a page has to hold for a milestone to be released on evidence alone; set by the buyer. */
export interface BacklinkColumn {
  readonly target_url: string;
  readonly require_dofollow: boolean;
}

/** How an escrow came to be agreed: who bought, and what both sides' people let their agents agree to then. */
export interface AgreedColumn {
  readonly by: 'person' | 'program';
  readonly buyer_bounds: BoundsColumn;
  readonly seller_bounds: BoundsColumn;
}

/** What was sold, as it was said when the escrow was made. */
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

// Without a return type: drizzle infers the row types from this literal.
export function escrowTables(b: Builders) {
  const escrows = b.table(
    'escrows',
    {
      id: b.id(),
      buyer_id: b.text('buyer_id').notNull(),
      buyer_account_id: b.text('buyer_account_id').notNull(),
      seller_id: b.text('seller_id').notNull(),
      seller_account_id: b.text('seller_account_id').notNull(),
      title: b.text('title').notNull(),
      status: b.text('status').$type<'active' | 'completed' | 'disputed' | 'refunded'>().notNull(),
      total_cents: b.int('total_cents').notNull(),
      /** What left it: to the seller with the fee in it, and back to the buyer. */
      released_cents: b.int('released_cents').notNull().default(0),
      refunded_cents: b.int('refunded_cents').notNull().default(0),
      fee_cents: b.int('fee_cents').notNull().default(0),
      deal_id: b.text('deal_id').notNull(),
      conversation_id: b.text('conversation_id'),
      /** What it came from: `checkout` is a purchase of a listing. */
      origin: b.text('origin').$type<'escrow' | 'checkout'>().notNull(),
      terms: b.json<TermsColumn>('terms').notNull(),
      auto_release_after_days: b.int('auto_release_after_days'),
      expires_at: b.int('expires_at'),
      /** The open dispute. */
      dispute_id: b.text('dispute_id'),
      created_at: b.int('created_at').notNull(),
      ended_at: b.int('ended_at'),
      version: b.version(),
    },
    (t) => [
      b.index('escrows_buyer').on(t.buyer_id, t.id),
      b.index('escrows_seller').on(t.seller_id, t.id),
      b.index('escrows_buyer_open').on(t.buyer_id).where(sql`ended_at IS NULL`),
      b.index('escrows_seller_live').on(t.seller_id).where(sql`ended_at IS NULL`),
    ],
  );
  /** The id is the escrow's with the milestone's place: `<escrow>.0`. */
  const milestones = b.table(
    'milestones',
    {
      id: b.id(),
      escrow_id: b.text('escrow_id').notNull(),
      milestone_index: b.int('milestone_index').notNull(),
      title: b.text('title').notNull(),
      amount_cents: b.int('amount_cents').notNull(),
      due_at: b.int('due_at'),
      status: b.text('status').$type<'held' | 'released' | 'refunded' | 'settled'>().notNull(),
      /** By whom: the buyer, evidence, its terms, a settled dispute. */
      ended_by: b.text('ended_by').$type<'buyer' | 'seller' | 'evidence' | 'terms' | 'dispute'>(),
      fee_cents: b.int('fee_cents').notNull().default(0),
      deliverable: b.json<DeliverableColumn | null>('deliverable'),
      backlink: b.json<BacklinkColumn | null>('backlink'),
      checked_at: b.int('checked_at'),
      released_at: b.int('released_at'),
      ended_at: b.int('ended_at'),
      version: b.version(),
    },
    (t) => [b.index('milestones_escrow').on(t.escrow_id)],
  );
  /** What was handed over before the newest, which stands in the milestone; the id is the milestone's with the place. */
  const earlier_deliverables = b.table(
    'earlier_deliverables',
    {
      id: b.id(),
      escrow_id: b.text('escrow_id').notNull(),
      milestone_index: b.int('milestone_index').notNull(),
      n: b.int('n').notNull(),
      deliverable: b.json<DeliverableColumn>('deliverable').notNull(),
    },
    (t) => [b.index('earlier_deliverables_escrow').on(t.escrow_id)],
  );
  const disputes = b.table(
    'disputes',
    {
      id: b.id(),
      escrow_id: b.text('escrow_id').notNull(),
      /** The agents. */
      opened_by: b.text('opened_by').notNull(),
      respondent: b.text('respondent').notNull(),
      reason: b.text('reason').notNull(),
      status: b
        .text('status')
        .$type<'open' | 'responded' | 'settled' | 'withdrawn' | 'ruled' | 'defaulted'>()
        .notNull(),
      respond_by: b.int('respond_by').notNull(),
      responded_at: b.int('responded_at'),
      unreleased_cents: b.int('unreleased_cents').notNull(),
      proposal: b.json<ProposalColumn | null>('proposal'),
      resolution: b.json<ResolutionColumn | null>('resolution'),
      /** How many pieces of evidence there are: the last one's place. */
      evidence: b.int('evidence').notNull().default(0),
      /** Hash of the last piece, which seals all before it. */
      evidence_hash: b.text('evidence_hash').notNull().default(''),
      created_at: b.int('created_at').notNull(),
      ended_at: b.int('ended_at'),
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
      dispute_id: b.text('dispute_id').notNull(),
      n: b.int('n').notNull(),
      by: b.text('by').notNull(),
      statement: b.text('statement').notNull(),
      links: b.json<readonly string[]>('links').notNull(),
      /** SHA-256, base64url, over the piece before it and what this one says. */
      hash: b.text('hash').notNull(),
      created_at: b.int('created_at').notNull(),
    },
    (t) => [b.index('dispute_evidence_dispute').on(t.dispute_id)],
  );
  return { escrows, milestones, earlier_deliverables, disputes, dispute_evidence };
}
