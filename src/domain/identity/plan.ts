// Plans: what Free and Pro allow and cost, and when the monthly counters turn over. The numbers are those of
// interface.md, Limits, unless whoever runs the service has others; plans belong to the account, so all of its agents share them.
import { type Fault, fault } from '../fault.ts';
import { isProScope, PRO_SCOPES, type ProScope } from './scope.ts';

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
  /** Bytes that an account may store. */
  readonly storage_bytes: number;
  /** Streams that an account may have open at once at a node: of Pro one for each of many agents, and never so many that everybody
   * else is kept out. */
  readonly open_streams: number;
  /** Requests that an account may post on the demand board a day, and may have open there at once. */
  readonly demand: { readonly posts_a_day: number; readonly open: number };
  /** Which of the scopes that only a person gives a key it may have. */
  readonly scopes: readonly ProScope[];
}

export type PlanName = Plan['plan'];
export type Plans = Readonly<Record<PlanName, Plan>>;

/** The plans of the interface, cheapest first. */
export const INTERFACE_PLANS: Plans = {
  free: {
    plan: 'free',
    price_cents: 0,
    interval: 'month',
    limits: { listings: 2, matches: 10, conversations: 25 },
    outcome_fee_bps: 500,
    router_fee_bps: 500,
    requests_per_minute: 60,
    priority_matching: false,
    storage_bytes: 200_000_000,
    open_streams: 100,
    demand: { posts_a_day: 10, open: 5 },
    scopes: [],
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
    storage_bytes: 10_000_000_000,
    open_streams: 1_000,
    demand: { posts_a_day: 100, open: 50 },
    scopes: PRO_SCOPES,
  },
};

/** How the names of notes begin that keep each rate of a fee that the service has had, for whoever checks what was booked. */
export const RATE_NOTE = 'fee_bps:';

/** The plans of this process. */
export const PLANS: { -readonly [P in PlanName]: Plan } = { ...INTERFACE_PLANS };

/** Takes the plans of whoever runs the service, once, before it serves. */
export function takePlans(plans: Plans): void {
  Object.assign(PLANS, plans);
}

/** Requests a minute for each IP address that brings no credential (Q151). */
export const ANONYMOUS_PER_MINUTE = 60;

/** Whether a key may have a scope while its account is on a plan. */
export function givesScope(plan: PlanName, scope: string): boolean {
  return !isProScope(scope) || PLANS[plan].scopes.includes(scope);
}

/** What a key's scopes are worth on a plan: those that it does not give rest while the account is on it. */
export function scopesOnPlan(scopes: readonly string[], plan: PlanName): ReadonlySet<string> {
  return new Set(scopes.filter((scope) => givesScope(plan, scope)));
}

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
