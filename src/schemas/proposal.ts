// A proposal as one of its sides sees it on the wire (rules.md 6). Only the side of a bound reads that it is exceeded.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { PlanName } from '../domain/identity/plan.ts';
import { proceedsOfWhole } from '../domain/money/fee.ts';
import { MILESTONES_MAX } from '../domain/negotiation/issue.ts';
import { askingBound, isLive, type Proposed, statusAt, versionOf } from '../domain/negotiation/proposal.ts';
import { authored, byField, words } from './authored.ts';
import { ESCROW_TERMS, EscrowTermsShape, escrowTermsView } from './escrow.ts';
import { IssueShape, issuesView } from './issue.ts';
import { Amount, PROCEEDS } from './money.ts';
import { named, namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableId, NullableTime, nullable, Time, visibleText } from './wire.ts';

const TITLE_MAX = 140;
export const TERMS_MAX = 2_000;

/** The milestones of a proposal as input. */
export const MilestonesInput = Type.Array(
  namedObject('ProposedMilestone', 'a milestone, delivered and released separately', {
    title: visibleText(TITLE_MAX),
    amount_cents: Amount,
    due_at: Type.Optional({ ...Time, description: 'the due time, in the future' }),
  }),
  {
    maxItems: MILESTONES_MAX,
    description: `at most ${MILESTONES_MAX}; their sum is amount_cents; default: as many equal parts as the issue \`milestones\` names`,
  },
);

/** The terms of the escrow of a proposal as input. */
export const EscrowTermsInput = namedObject(
  'EscrowTermsInput',
  'the terms of the escrow; the proposal is valid until `expires_at` at the latest',
  ESCROW_TERMS,
);

export const AgreedPart = namedObject('AgreedPart', 'a part of a deal', {
  title: words(Type.String()),
  amount_cents: Cents,
  due_at: NullableTime,
});

export function partsView(parts: readonly Proposed[]): Static<typeof AgreedPart>[] {
  return parts.map(({ title, amount_cents, due_at = null }) => ({ title, amount_cents, due_at: isoOrNull(due_at) }));
}

export const ProposalShape = authored(
  byField('by'),
  namedObject('Proposal', 'an amount with terms, which both sides have to approve', {
    id: Id,
    version: Type.Integer({
      minimum: 1,
      description: 'its number in the conversation, or among your withheld ones',
    }),
    conversation_id: Id,
    status: named(
      'ProposalStatus',
      Type.Enum(['withheld', 'open', 'approved', 'rejected', 'replaced', 'expired'], {
        description: 'withheld: your person has to approve it before the other side sees it',
      }),
    ),
    by: Type.String({ description: 'its author' }),
    buyer_handle: Type.String(),
    seller_handle: Type.String(),
    your_side: Type.Enum(['buyer', 'seller']),
    amount_cents: Cents,
    ...PROCEEDS,
    currency: Type.Literal('USD'),
    terms: words(Type.String()),
    issues: Type.Array(IssueShape),
    milestones: Type.Array(AgreedPart),
    escrow_terms: EscrowTermsShape,
    approved_by: Type.Array(Type.String(), {
      description: 'handles of the sides that have agreed; the proposing side is listed once you have agreed',
    }),
    bound: nullable(
      Type.Enum(['max_pay_cents', 'min_charge_cents', 'auto_approve_below_cents', 'policy']),
      'your bound or policy that requires a decision of your person; null if your key may decide',
    ),
    replaced_by: NullableId,
    deal_id: NullableId,
    decides_at: {
      ...NullableTime,
      description: 'when the side that compares it with other proposals decides; null where none does',
    },
    expires_at: Time,
    created_at: Time,
  }),
);

export type ProposalView = Static<typeof ProposalShape>;

/** The current sides of a conversation. */
export interface Sides {
  handleOf(agent_id: string): string;
  /** The plan of an agent's account, which sets the fee of a sale. */
  planOf(agent_id: string): PlanName;
}

/** The exceeded bound that requires the side's person; null where its key may decide. */
function boundOf(row: Row<'proposals'>, reader: Pick<Row<'agents'>, 'id' | 'bounds'>) {
  const side = row.buyer_id === reader.id ? 'buyer' : 'seller';
  const other_id = side === 'buyer' ? row.seller_id : row.buyer_id;
  return askingBound(reader.bounds, side, row.amount_cents, other_id);
}

/** The fields that tell who has agreed to a proposal. */
type Agreeable = Pick<
  Row<'proposals'>,
  'status' | 'by_id' | 'buyer_id' | 'buyer_at' | 'seller_id' | 'seller_at' | 'created_at'
>;

/** The sides that have agreed, as far as a reader may know. That the proposing side agreed by proposing is hidden until both have:
 * a program agrees so up to its person's bound, and the reader could find out that bound by trying prices. */
export function agreedFor(row: Agreeable, reader_id: string): string[] {
  const said = [
    { id: row.buyer_id, at: row.buyer_at },
    { id: row.seller_id, at: row.seller_at },
  ];
  const untold = row.status === 'approved' || row.by_id === reader_id ? null : row.by_id;
  return said.flatMap(({ id, at }) => (at === null || (id === untold && at === row.created_at) ? [] : [id]));
}

/** The wire shape of a proposal for one of its sides. */
export function proposalView(
  row: Row<'proposals'>,
  reader: Pick<Row<'agents'>, 'id' | 'bounds'>,
  { handleOf, planOf }: Sides,
  now_ms: number,
): ProposalView {
  const agreed = agreedFor(row, reader.id);
  return {
    id: row.id,
    version: versionOf(row.number),
    conversation_id: row.conversation_id,
    status: statusAt(row, now_ms),
    by: handleOf(row.by_id),
    buyer_handle: handleOf(row.buyer_id),
    seller_handle: handleOf(row.seller_id),
    your_side: row.buyer_id === reader.id ? 'buyer' : 'seller',
    amount_cents: row.amount_cents,
    ...proceedsOfWhole(row.amount_cents, row.milestones, planOf(row.seller_id)),
    currency: 'USD',
    terms: row.terms,
    issues: issuesView(row.issues),
    milestones: partsView(row.milestones),
    escrow_terms: escrowTermsView(row.escrow_terms),
    approved_by: agreed.map(handleOf),
    bound: isLive(row.status) && !agreed.includes(reader.id) ? boundOf(row, reader) : null,
    replaced_by: row.replaced_by,
    deal_id: row.deal_id,
    decides_at: isoOrNull(row.decides_at),
    expires_at: iso(row.expires_at),
    created_at: iso(row.created_at),
  };
}
