// Ends a dispute: moves its money by the outcome, tells both sides, and ends the open questions.
import { type Effect, patch } from '../../../db/effects.ts';
import type { ResolutionColumn } from '../../../db/schema/escrow.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { assert } from '../../domain/assert.ts';
import { disputeAfter, type Split } from '../../domain/escrow/dispute.ts';
import { nextStatus } from '../../domain/escrow/escrow.ts';
import { settleEscrow } from '../escrow/settle.ts';
import { tell } from '../event.ts';
import { unremind } from '../reminder.ts';
import { EXPIRE_DISPUTE } from './expire.ts';
import type { LoadedDispute } from './find.ts';
import { settlementAnswered } from './settlement.ts';

type Outcome = ResolutionColumn['outcome'];

/** A dispute that has ended, with what that takes. */
export interface Resolved {
  readonly dispute: Row<'disputes'>;
  readonly escrow: Row<'escrows'>;
  readonly effects: readonly Effect<'conflict' | 'open_obligations'>[];
}

function ended(
  ctx: Ctx,
  loaded: LoadedDispute,
  resolution: ResolutionColumn,
  by_time: boolean,
): Pick<Resolved, 'dispute' | 'effects'> {
  const { state, dispute } = loaded;
  const { buyer, seller } = state;
  const status = disputeAfter(dispute.status, resolution.outcome);
  assert(status !== null, `a dispute that is ${dispute.status} cannot be ${resolution.outcome}`);
  const set = { status, resolution, ended_at: ctx.now_ms };
  const { outcome, refund_cents, release_cents, fee_cents } = resolution;
  const respond_by = new Date(dispute.respond_by).toISOString();
  const data = {
    escrow_id: dispute.escrow_id,
    dispute_id: dispute.id,
    respond_by,
    outcome,
    refund_cents,
    release_cents,
    fee_cents,
    net_cents: release_cents - fee_cents,
  };
  return {
    dispute: { ...dispute, ...set },
    effects: [
      patch('disputes', dispute, set),
      // The run of the deadline consumes its own reminder.
      ...(by_time ? [] : [unremind(EXPIRE_DISPUTE, dispute.id)]),
      { do: 'answer', agent_id: dispute.respondent, subject_id: dispute.id, answered: null },
      ...settlementAnswered(ctx, loaded, outcome === 'settled' ? 'accept' : null),
      tell(ctx, buyer, 'escrow.dispute_resolved', { ...data, counterparty_handle: seller.handle }),
      tell(ctx, seller, 'escrow.dispute_resolved', { ...data, counterparty_handle: buyer.handle }),
    ],
  };
}

/** Settles a dispute with an outcome; `split` is all that is unreleased. */
export function resolveDispute(
  ctx: Ctx,
  loaded: LoadedDispute,
  outcome: Exclude<Outcome, 'withdrawn'>,
  { refund_cents, release_cents }: Split,
  note: string | null = null,
): Resolved {
  const settled = settleEscrow(ctx, loaded.state, { refund_cents, release_cents });
  const { fee_cents } = settled;
  const resolution = { outcome, refund_cents, release_cents, fee_cents, note, at: ctx.now_ms };
  const { dispute, effects } = ended(ctx, loaded, resolution, outcome === 'defaulted');
  return { dispute, escrow: settled.escrow, effects: [...settled.effects, ...effects] };
}

/** Withdraws a dispute: no money moves, and the escrow continues. */
export function withdrawDispute(ctx: Ctx, loaded: LoadedDispute): Resolved {
  const { escrow } = loaded.state;
  const status = nextStatus(escrow.status, 'withdraw', escrow);
  assert(status !== null, `an escrow that is ${escrow.status} has no dispute to withdraw`);
  const nothing = { refund_cents: 0, release_cents: 0, fee_cents: 0, note: null, at: ctx.now_ms };
  const { dispute, effects } = ended(ctx, loaded, { outcome: 'withdrawn', ...nothing }, false);
  const set = { status, dispute_id: null };
  return { dispute, escrow: { ...escrow, ...set }, effects: [patch('escrows', escrow, set), ...effects] };
}
