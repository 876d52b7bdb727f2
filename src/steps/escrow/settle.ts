// Ends milestones of an escrow: money goes to the seller, less the fee of the seller's current plan, or back to the buyer; the
// last milestone ends the escrow and its deal too. Every end of a milestone comes through here, so that booking, counters and
// events are the same.
import { apply, type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { addToBands, weighingCents } from '../../domain/agent/track-record.ts';
import { assert } from '../../domain/assert.ts';
import { isUnderWay } from '../../domain/conversation/conversation.ts';
import { REVIEW_MS } from '../../domain/deal/deal.ts';
import {
  closingJournal,
  type EscrowStatus,
  MILESTONE_AFTER,
  nextStatus,
  releaseJournal,
  unreleasedCents,
} from '../../domain/escrow/escrow.ts';
import { fault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { payWithFee } from '../../domain/money/fee.ts';
import { post } from '../../domain/money/ledger.ts';
import { countPartner } from '../agent/partners.ts';
import { record } from '../agent/record.ts';
import { tell } from '../event.ts';
import { endObligations } from '../money/obligation.ts';
import { acceptedBy } from './delivered.ts';
import type { LoadedEscrow } from './find.ts';
import { disarm } from './terms.ts';

type EndedBy = NonNullable<Row<'milestones'>['ended_by']>;
type Refusal = 'conflict' | 'open_obligations';

export interface Settled {
  readonly effects: readonly Effect<Refusal>[];
  readonly fee_cents: number;
  readonly status: EscrowStatus;
  /** The rows as they are after it. */
  readonly escrow: Row<'escrows'>;
  readonly milestones: readonly Row<'milestones'>[];
}

/** The milestones that end, and where their money goes: all of it, to the cent. */
interface Ending {
  readonly trigger: keyof typeof MILESTONE_AFTER;
  readonly journal_id: string;
  readonly ended: readonly Row<'milestones'>[];
  readonly release_cents: number;
  readonly refund_cents: number;
  readonly by: EndedBy;
}

/** The effects of the end of the whole escrow: on its deal, the records of both sides, and their conversation. */
function endEffects(ctx: Ctx, state: LoadedEscrow, status: EscrowStatus, by: EndedBy): Effect<Refusal>[] {
  const { escrow, deal, buyer, seller, completes_conversation } = state;
  const completed = status === 'completed';
  // A deal that took a dispute to end is no sign of trust (Q84).
  const signals = completed && by !== 'dispute';
  const counted = [
    { id: buyer.id, with_id: escrow.seller_account_id },
    { id: seller.id, with_id: escrow.buyer_account_id },
  ].flatMap(({ id, with_id }) => [
    ...record(ctx, id, (now) => ({
      escrows_ended: now.escrows_ended + 1,
      ...(by === 'dispute' && { disputes_settled: now.disputes_settled + 1 }),
      ...(signals && {
        deals_completed: now.deals_completed + 1,
        bands: addToBands(now.bands, deal.amount_cents),
      }),
    })),
    ...(signals
      ? countPartner(id, with_id, ({ deals, cents }) => ({
          deals: deals + 1,
          cents: cents + weighingCents(deal.amount_cents),
        }))
      : []),
  ]);
  return [
    patch('deals', deal, { status: completed ? 'completed' : 'refunded', completed_at: completed ? ctx.now_ms : null }),
    ...endObligations(buyer.id, seller.id),
    ...counted,
    ...(completed && completes_conversation !== null ? completeConversation(ctx, state, completes_conversation) : []),
  ];
}

function completeConversation(ctx: Ctx, { buyer, seller }: LoadedEscrow, conversation_id: string): Effect<never>[] {
  const ended = { status: 'completed', updated_at: ctx.now_ms } as const;
  return [
    apply('conversations', conversation_id, (now) => (isUnderWay(now.status) ? ended : {})),
    tell(ctx, buyer, 'conversation.completed', { conversation_id, counterparty_handle: seller.handle }),
    tell(ctx, seller, 'conversation.completed', { conversation_id, counterparty_handle: buyer.handle }),
  ];
}

/** Events to both sides about money that moved without a dispute; the end of a dispute has its own event. */
function news(ctx: Ctx, state: LoadedEscrow, ending: Ending, fee_cents: number, status: EscrowStatus): Effect<never>[] {
  const { trigger, ended, release_cents, refund_cents, by } = ending;
  if (trigger === 'settle') return [];
  const escrow_id = state.escrow.id;
  const [only, ...others] = ended;
  const milestone_index = only && others.length === 0 ? only.milestone_index : null;
  const told = [state.buyer, state.seller];
  if (trigger === 'refund') {
    const data = { escrow_id, milestone_index, amount_cents: refund_cents, by };
    return told.map((side) => tell(ctx, side, 'escrow.refunded', data));
  }
  const net_cents = release_cents - fee_cents;
  const { id: deal_id } = state.deal;
  const data = { escrow_id, deal_id, milestone_index, amount_cents: release_cents, fee_cents, net_cents, by };
  const asks = status === 'completed' ? { subject_id: deal_id, respond_by: ctx.now_ms + REVIEW_MS } : {};
  return told.map((side) => tell(ctx, side, 'escrow.released', data, asks));
}

function end(ctx: Ctx, state: LoadedEscrow, ending: Ending): Settled {
  const { escrow, seller_plan } = state;
  const { trigger, journal_id, ended, release_cents, refund_cents, by } = ending;
  const held_cents = ended.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  assert(held_cents === release_cents + refund_cents, 'milestones end with all that they hold');
  const { fee_cents, legs } = payWithFee({
    debit: `escrow:${escrow.id}`,
    seller_id: escrow.seller_id,
    price_cents: release_cents,
    fee_bps: PLANS[seller_plan].outcome_fee_bps,
    earned: true,
    back: { to_id: escrow.buyer_id, cents: refund_cents },
  });
  const sums = {
    total_cents: escrow.total_cents,
    released_cents: escrow.released_cents + release_cents,
    refunded_cents: escrow.refunded_cents + refund_cents,
  };
  const status = nextStatus(escrow.status, trigger, sums);
  assert(status !== null, `an escrow that is ${escrow.status} takes no ${trigger}`);
  const isOver = status !== escrow.status;
  const ended_at = isOver ? ctx.now_ms : null;
  const set = { ...sums, status, ended_at, dispute_id: null, fee_cents: escrow.fee_cents + fee_cents };
  const released = trigger === 'release';
  const milestone = {
    status: MILESTONE_AFTER[trigger],
    ended_by: by,
    ended_at: ctx.now_ms,
    released_at: released ? ctx.now_ms : null,
    // Of several that end together there is one fee, which is the escrow's.
    fee_cents: released && ended.length === 1 ? fee_cents : 0,
  };
  return {
    fee_cents,
    status,
    escrow: { ...escrow, ...set },
    milestones: state.milestones.map((row) => (ended.includes(row) ? { ...row, ...milestone } : row)),
    effects: [
      patch('escrows', escrow, set),
      ...ended.map((row) => patch('milestones', row, milestone)),
      post(
        { id: journal_id, kind: trigger, subject_id: escrow.id, created_at: ctx.now_ms },
        legs,
        // An escrow's account holds what its row says; less would be our own fault.
        'again',
        fault('conflict'),
      ),
      // A run of the terms consumes its own reminder; what it leaves of others finds nothing to do.
      ...(by === 'terms' ? [] : disarm(escrow, ended, isOver)),
      ...news(ctx, state, ending, fee_cents, status),
      ...ended.flatMap((row) => acceptedBy(ctx, escrow.buyer_id, row, by === 'buyer' ? 'release' : null)),
      ...(isOver ? endEffects(ctx, state, status, by) : []),
    ],
  };
}

/** Releases one milestone that is held; with the last of them the escrow ends. The journal is `release:<milestone>`. */
export function releaseMilestone(
  ctx: Ctx,
  state: LoadedEscrow,
  milestone: Row<'milestones'>,
  by: 'buyer' | 'evidence' | 'terms',
): Settled {
  const { id, amount_cents } = milestone;
  return end(ctx, state, {
    trigger: 'release',
    journal_id: releaseJournal(id),
    ended: [milestone],
    release_cents: amount_cents,
    refund_cents: 0,
    by,
  });
}

/** Gives milestones that are held back to the buyer. The seller does so with all of them, and an escrow expires once: the journal is
 * `refund:<escrow>` or `expire:<escrow>`. */
export function refundMilestones(
  ctx: Ctx,
  state: LoadedEscrow,
  ended: readonly Row<'milestones'>[],
  by: 'seller' | 'terms',
): Settled {
  return end(ctx, state, {
    trigger: 'refund',
    journal_id: closingJournal(by === 'terms' ? 'expire' : 'refund', state.escrow.id),
    ended,
    release_cents: 0,
    refund_cents: ended.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    by,
  });
}

/** Ends all unreleased milestones of a disputed escrow: the two amounts are all of its money. The journal is `settle:<escrow>`. The
 * caller adds the events about the dispute's end. */
export function settleEscrow(
  ctx: Ctx,
  state: LoadedEscrow,
  { release_cents, refund_cents }: { readonly release_cents: number; readonly refund_cents: number },
): Settled {
  const { escrow, milestones } = state;
  assert(release_cents + refund_cents === unreleasedCents(escrow), 'a settlement is of all that is unreleased');
  return end(ctx, state, {
    trigger: 'settle',
    journal_id: closingJournal('settle', escrow.id),
    ended: milestones.filter(({ status }) => status === 'held'),
    release_cents,
    refund_cents,
    by: 'dispute',
  });
}
