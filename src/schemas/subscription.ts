// A subscription on the wire (rules.md 8), with the attempts at charging it, newest first.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { PlanName } from '../domain/identity/plan.ts';
import { proceedsOf } from '../domain/money/fee.ts';
import { INTERVALS } from '../domain/subscription/period.ts';
import {
  CHARGE_FAILURES,
  type Course,
  chargeJournal,
  completed,
  isOver,
  SUBSCRIPTION_STATUSES,
} from '../domain/subscription/subscription.ts';
import { authored, byField, words } from './authored.ts';
import { PROCEEDS } from './money.ts';
import { named, namedObject } from './named.ts';
import { Id, iso, isoOrNull, NullableTime, nullable, Time } from './wire.ts';

/** Two years of weekly attempts. */
export const CHARGES_SHOWN = 100;

const Interval = named('SubscriptionInterval', Type.Enum([...INTERVALS]));
const Count = Type.Integer({ minimum: 0 });
const NullableCount = nullable(Count);

const SUMMARY = {
  id: Id,
  status: named('SubscriptionStatus', Type.Enum([...SUBSCRIPTION_STATUSES])),
  buyer_handle: Type.String(),
  seller_handle: Type.String(),
  headline: words(nullable(Type.String(), 'of the listing, at the time of subscribing')),
  amount_cents: Type.Integer({ minimum: 1, description: 'integer cents; fixed when subscribed' }),
  ...PROCEEDS,
  currency: Type.Literal('USD'),
  interval: Interval,
  listing_id: nullable(Id),
  next_charge_at: NullableTime,
  max_charges: NullableCount,
  charges_made: Count,
  ends_at: NullableTime,
  failed_attempts: Type.Integer({ minimum: 0, description: 'in a row; the fourth pauses it' }),
  created_at: Time,
  ended_at: NullableTime,
};

const ChargeShape = namedObject('SubscriptionCharge', 'a charge attempt', {
  period_start: Time,
  amount_cents: Type.Integer({ minimum: 1 }),
  fee_cents: Type.Integer({ minimum: 0, description: 'the outcome fee, within the amount' }),
  net_cents: Type.Integer({ minimum: 0, description: 'what the seller got' }),
  status: Type.Enum(['succeeded', 'failed']),
  reason: nullable(Type.Enum([...CHARGE_FAILURES]), 'why it failed'),
  journal_id: nullable(Type.String(), 'the journal of the payment; its receipt has the same id; null if it failed'),
  at: Time,
});

export const SubscriptionSummary = authored(
  byField('seller_handle'),
  namedObject('SubscriptionSummary', 'a recurring payment of one agent to another', SUMMARY),
);

export const Subscription = authored(
  byField('seller_handle'),
  namedObject('Subscription', 'a recurring payment of one agent to another, with its charge attempts', {
    ...SUMMARY,
    charges: Type.Array(ChargeShape, { description: `the newest ${CHARGES_SHOWN} attempts, newest first` }),
  }),
);

/** The current handles of both sides, and the plan that sets the fee of the next charge. */
export interface SideHandles {
  readonly buyer: string;
  readonly seller: string;
  readonly seller_plan: PlanName;
}

/** A row at a given time: one past its end is completed, also before that is written. */
function asOf<T extends Course>(row: T, now_ms: number): T {
  return isOver(row, now_ms) ? { ...row, ...completed(row.ends_at ?? now_ms) } : row;
}

export function subscriptionSummary(
  stored: Row<'subscriptions'>,
  { buyer, seller, seller_plan }: SideHandles,
  now_ms: number,
): Static<typeof SubscriptionSummary> {
  const row = asOf(stored, now_ms);
  return {
    id: row.id,
    status: row.status,
    buyer_handle: buyer,
    seller_handle: seller,
    headline: row.title === '' ? null : row.title,
    amount_cents: row.amount_cents,
    ...proceedsOf([row], seller_plan),
    currency: 'USD',
    interval: row.interval,
    listing_id: row.listing_id,
    next_charge_at: isoOrNull(row.next_charge_at),
    max_charges: row.max_charges,
    charges_made: row.charges_made,
    ends_at: isoOrNull(row.ends_at),
    failed_attempts: row.failed_attempts,
    created_at: iso(row.created_at),
    ended_at: isoOrNull(row.ended_at),
  };
}

/** A subscription with its newest attempts. */
export function subscriptionView(
  row: Row<'subscriptions'>,
  handles: SideHandles,
  charges: readonly Row<'subscription_charges'>[],
  now_ms: number,
): Static<typeof Subscription> {
  return {
    ...subscriptionSummary(row, handles, now_ms),
    charges: charges.map(({ period, period_start, amount_cents, fee_cents, status, reason, created_at }) => ({
      period_start: iso(period_start),
      amount_cents,
      fee_cents,
      net_cents: status === 'succeeded' ? amount_cents - fee_cents : 0,
      status,
      reason,
      journal_id: status === 'succeeded' ? chargeJournal(row.id, period) : null,
      at: iso(created_at),
    })),
  };
}
