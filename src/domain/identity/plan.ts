// Plans: what Free and Pro allow and cost, and when monthly counters reset. The numbers are those of interface.md, Limits,
// unless the operator has set others; plans belong to the account, so all of its agents share them.
import { type Fault, fault } from '../fault.ts';
import { isProScope, PRO_SCOPES, type ProScope } from './scope.ts';

/** The meters of a plan. `listings` is a current number; the other two reset each month. */
export const METERS = {
  listings: 'Listings that are not deleted, drafts and paused ones too; those made by intake do not count.',
  matches: 'Matches shown to you for the first time this month.',
  conversations: 'Conversations that you opened this month.',
} as const;

export type Meter = keyof typeof METERS;

export interface Plan {
  readonly plan: 'free' | 'pro';
  /** What people read; `plan` is for programs. */
  readonly name: string;
  readonly price_cents: number;
  readonly interval: 'month';
  /** The limit of each meter; null is unlimited. */
  readonly limits: Readonly<Record<Meter, number | null>>;
  readonly outcome_fee_bps: number;
  readonly router_fee_bps: number;
  readonly requests_per_minute: number;
  readonly priority_matching: boolean;
  /** Bytes that an account may store. */
  readonly storage_bytes: number;
  /** Streams that an account may have open at once at a node: on Pro enough for many agents, and never so many that others are kept out. */
  readonly open_streams: number;
  /** Requests that an account may post on the demand board in a day, and have open at once. */
  readonly demand: { readonly posts_a_day: number; readonly open: number };
  /** The scopes among PRO_SCOPES that keys on the plan may have. */
  readonly scopes: readonly ProScope[];
}

export type PlanName = Plan['plan'];
export type Plans = Readonly<Record<PlanName, Plan>>;

/** The plans of the interface, cheapest first. */
export const INTERFACE_PLANS: Plans = {
  free: {
    plan: 'free',
    name: 'Free',
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
    name: 'Pro',
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

/** The name prefix of the notes that keep each fee rate of the service, for checks of the ledger. */
export const RATE_NOTE = 'fee_bps:';

/** The plans of this process. */
export const PLANS: { -readonly [P in PlanName]: Plan } = { ...INTERFACE_PLANS };

/** Sets the operator's plans, once, before the service starts. */
export function takePlans(plans: Plans): void {
  Object.assign(PLANS, plans);
}

/** Requests a minute for each IP address without a credential (Q151). */
export const ANONYMOUS_PER_MINUTE = 60;

/** The least that an account's sessions may request in a minute, counted apart from its keys: a person who turns pages of the app reads some
 * ten lists a page, and neither stops their programs nor is stopped by them. */
const SESSIONS_PER_MINUTE = 600;

/** The requests that an account's sessions may make in a minute. */
export function sessionsPerMinute(plan: PlanName): number {
  return Math.max(SESSIONS_PER_MINUTE, PLANS[plan].requests_per_minute);
}

/** Whether a key may have a scope while its account is on a plan. */
export function givesScope(plan: PlanName, scope: string): boolean {
  return !isProScope(scope) || PLANS[plan].scopes.includes(scope);
}

/** The effective scopes of a key on a plan: others are suspended while the account is on it. */
export function scopesOnPlan(scopes: readonly string[], plan: PlanName): ReadonlySet<string> {
  return new Set(scopes.filter((scope) => givesScope(plan, scope)));
}

/** The counter of an account's storage. */
export function storageKey(account_id: string): string {
  return `stored:${account_id}`;
}

/** The 403 of a full storage. */
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

/** The counter of an account's use of a meter; a monthly one has a new key each month and needs no reset. */
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
