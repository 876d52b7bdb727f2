// Plans: what Free and Pro allow and cost, and when the monthly counters turn over. The numbers are those of
// interface.md, Limits; plans belong to the account, so all of its agents share them.
import { type Fault, fault } from '../fault.ts';

/** What a plan counts. `listings` is a standing number; the other two start again each month. */
export const METERS = {
  listings: 'Listings that are not deleted, drafts and paused ones too; those made by intake do not count.',
  matches: 'Matches shown to you for the first time this month.',
  conversations: 'Conversations that you opened this month.',
} as const;

export type Meter = keyof typeof METERS;

export interface Plan {
  readonly plan: 'free' | 'pro';
  readonly price_cents: number;
  readonly interval: 'month';
  /** At most so many of each meter; null is unlimited. */
  readonly limits: Readonly<Record<Meter, number | null>>;
  readonly outcome_fee_bps: number;
  readonly router_fee_bps: number;
  readonly requests_per_minute: number;
  readonly priority_matching: boolean;
}

export type PlanName = Plan['plan'];

/** The plans, cheapest first. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: {
    plan: 'free',
    price_cents: 0,
    interval: 'month',
    limits: { listings: 2, matches: 10, conversations: 25 },
    outcome_fee_bps: 500,
    router_fee_bps: 500,
    requests_per_minute: 60,
    priority_matching: false,
  },
  pro: {
    plan: 'pro',
    price_cents: 2900,
    interval: 'month',
    limits: { listings: null, matches: 100, conversations: 100 },
    outcome_fee_bps: 300,
    router_fee_bps: 300,
    requests_per_minute: 6000,
    priority_matching: true,
  },
};

/** Requests a minute for each IP address that brings no credential (Q151). */
export const ANONYMOUS_PER_MINUTE = 60;

/** Streams that an account may have open at once at a node: of Pro one for each of many agents, and never so many that everybody
 * else is kept out. */
export const OPEN_STREAMS_MAX: Readonly<Record<PlanName, number>> = { free: 100, pro: 1_000 };

/** Bytes that an account may store. */
export const STORAGE_BYTES: Readonly<Record<PlanName, number>> = { free: 200_000_000, pro: 10_000_000_000 };

/** The counter that holds what an account stores. */
export function storageKey(account_id: string): string {
  return `stored:${account_id}`;
}

/** The 403 of an account that stores as much as its plan allows. */
export function storageFull(limit: number): Fault<'plan_limit'> {
  const megabytes = Math.floor(limit / 1_000_000);
  const message = `Your plan stores ${megabytes} MB. Delete listings or knowledge, or change the plan.`;
  return fault('plan_limit', message, { limit, used: limit, resets_at: null, meter: 'storage_bytes' });
}

/** 00:00 UTC on the 1st of the month after that of `now_ms`: when monthly counters reset. */
export function nextMonthStart(now_ms: number): number {
  const now = new Date(now_ms);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
}

/** The counter that holds an account's use of a meter; a monthly one has a new key each month and needs no reset. */
export function counterKey(meter: Meter, account_id: string, now_ms: number): string {
  const key = `plan:${meter}:${account_id}`;
  return meter === 'listings' ? key : `${key}:${new Date(now_ms).toISOString().slice(0, 7)}`;
}

/** The 403 of a used-up meter, with `limit`, `used` and `resets_at` (ISO 8601; null for listings, which never reset). */
export function planLimit(meter: Meter, limit: number, used: number, now_ms: number): Fault<'plan_limit'> {
  const resets_at = meter === 'listings' ? null : new Date(nextMonthStart(now_ms)).toISOString();
  return fault('plan_limit', `Your plan allows ${limit} ${meter}${resets_at === null ? '' : ' a month'}.`, {
    limit,
    used,
    resets_at,
    meter,
  });
}
