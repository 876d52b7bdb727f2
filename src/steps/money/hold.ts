// Holds: money of a wallet that is reserved for something that may still fail. A row and a journal at the start, and a `patch` of
// that row with a journal of its own at the end, so that one end wins on any node. All holds of an agent are in one account,
// `held:<agent>`, which is the sum of the pending ones. Each has a reminder of its own for its expiry, because a common row would
// be contended by the holds of all nodes.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { assert } from '../../domain/assert.ts';
import { fault } from '../../domain/fault.ts';
import { payWithFee } from '../../domain/money/fee.ts';
import { movedHold } from '../../domain/money/held-money.ts';
import { post } from '../../domain/money/ledger.ts';
import { remind, unremind } from '../reminder.ts';
import { paymentRequired } from './obligation.ts';
import { type Counted, unspend } from './spend.ts';

/** The call that voids a hold whose time has passed. */
export const EXPIRE_HOLD = {
  name: 'hold.expire',
  input: Type.Object({ hold_id: Type.String() }),
} as const;

/** A hold to make in the acting agent's wallet. */
export interface HoldAsked {
  /** Its purpose: `call`. */
  readonly kind: string;
  readonly subject_id: string | null;
  readonly amount_cents: number;
  readonly expires_at: number;
  /** The counts of `spend`, which a void gives back. */
  readonly counted: Counted;
}

function ofHold(verb: 'hold' | 'hold_settle' | 'hold_void', hold: { id: string }, ctx: Pick<Ctx, 'now_ms'>) {
  return { id: `${verb}:${hold.id}`, kind: verb, subject_id: hold.id, created_at: ctx.now_ms };
}

function expiry({ id, expires_at }: Pick<Row<'holds'>, 'id' | 'expires_at'>, { now_ms }: Pick<Ctx, 'now_ms'>) {
  return remind(EXPIRE_HOLD, { hold_id: id }, { key: id, at: expires_at, now_ms });
}

/** Sets money of the acting agent's wallet aside, or is refused by the store with 402 and the figures. The caller adds the
 * effects of `spend`. */
export function placeHold(
  ctx: Ctx,
  { kind, subject_id, amount_cents, expires_at, counted }: HoldAsked,
): { readonly hold_id: string; readonly effects: readonly Effect<'payment_required' | 'conflict'>[] } {
  const { id: agent_id } = actor(ctx);
  const id = ctx.id();
  const leg = { debit: `wallet:${agent_id}`, credit: `held:${agent_id}`, amount_cents } as const;
  const row = { id, agent_id, kind, subject_id, amount_cents, status: 'pending', counted, expires_at } as const;
  return {
    hold_id: id,
    effects: [
      post(ofHold('hold', { id }, ctx), [leg], paymentRequired(amount_cents), fault('conflict')),
      insert('holds', { ...row, created_at: ctx.now_ms }),
      expiry(row, ctx),
    ],
  };
}

/** The payee and amount of a settlement; the rest of the hold goes back. */
export interface HoldPaid {
  readonly to_id: string;
  readonly paid_cents: number;
  /** The platform's fee in basis points. */
  readonly fee_bps: number;
}

/** Settles a hold as it was read, or conflicts when another end came first. Null when it has already ended. */
export function settleHold(
  ctx: Pick<Ctx, 'now_ms'>,
  hold: Row<'holds'>,
  { to_id, paid_cents, fee_bps }: HoldPaid,
): { readonly fee_cents: number; readonly effects: readonly Effect<'conflict' | 'spending_limit'>[] } | null {
  const status = movedHold(hold, 'settle', ctx.now_ms);
  if (status === null) return null;
  const { id, agent_id, amount_cents, counted } = hold;
  const left_cents = amount_cents - paid_cents;
  assert(paid_cents > 0 && left_cents >= 0, 'a hold pays something, and no more than it holds');
  const { fee_cents, legs } = payWithFee({
    debit: `held:${agent_id}`,
    seller_id: to_id,
    price_cents: paid_cents,
    fee_bps,
    back: { to_id: agent_id, cents: left_cents },
  });
  return {
    fee_cents,
    effects: [
      patch('holds', hold, { status, settled_cents: paid_cents, ended_at: ctx.now_ms }),
      post(ofHold('hold_settle', hold, ctx), legs, 'again', fault('conflict')),
      // Each counter counted the whole of it.
      ...(left_cents > 0 ? unspend(counted.map(([key]) => [key, left_cents])) : []),
      unremind(EXPIRE_HOLD, id),
    ],
  };
}

function voided(
  ctx: Pick<Ctx, 'now_ms'>,
  hold: Row<'holds'>,
  move: 'void' | 'expire',
): Effect<'conflict' | 'spending_limit'>[] {
  const status = movedHold(hold, move, ctx.now_ms);
  if (status === null) return [];
  const { agent_id, amount_cents, counted } = hold;
  const leg = { debit: `held:${agent_id}`, credit: `wallet:${agent_id}`, amount_cents } as const;
  return [
    patch('holds', hold, { status, settled_cents: 0, ended_at: ctx.now_ms }),
    post(ofHold('hold_void', hold, ctx), [leg], 'again', fault('conflict')),
    ...unspend(counted),
  ];
}

/** Gives held money back to its wallet, and to the counters of its day; nothing when it has already ended. */
export function voidHold(
  ctx: Pick<Ctx, 'now_ms'>,
  hold: Row<'holds'>,
): readonly Effect<'conflict' | 'spending_limit'>[] {
  return [...voided(ctx, hold, 'void'), unremind(EXPIRE_HOLD, hold.id)];
}

/** The same for one whose time has passed; its reminder is the one that runs. Asked too early it asks again. */
export function expireHold(
  ctx: Pick<Ctx, 'now_ms'>,
  hold: Row<'holds'>,
): { readonly voided: boolean; readonly effects: readonly Effect<'conflict' | 'spending_limit'>[] } {
  const effects = voided(ctx, hold, 'expire');
  if (effects.length > 0) return { voided: true, effects };
  return { voided: false, effects: hold.status === 'pending' ? [expiry(hold, ctx)] : [] };
}
