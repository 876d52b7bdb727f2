// What becomes of a subscription (interface.md, States, Subscription): every state with every move, and when the next attempt at a
// charge is due. The rules kept here are that a period is charged once at most and never after it has passed, and that
// what has ended stays so.
import { DAY_MS } from '../time.ts';
import { type Periods, periodAt, periodFrom, periodStart } from './period.ts';

/** The first failure is one of them (Q85). */
const ATTEMPTS_MAX = 4;

export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'paused', 'cancelled', 'completed'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** What can happen to one: `given_up` is the last failed attempt, `ended` its last charge or its end by time. */
export const MOVES = ['charged', 'failed', 'given_up', 'ended', 'pause', 'resume', 'cancel'] as const;
export type Move = (typeof MOVES)[number];

const TABLE: Readonly<Record<SubscriptionStatus, Readonly<Partial<Record<Move, SubscriptionStatus>>>>> = {
  active: { charged: 'active', failed: 'past_due', ended: 'completed', pause: 'paused', cancel: 'cancelled' },
  past_due: {
    charged: 'active',
    failed: 'past_due',
    given_up: 'paused',
    ended: 'completed',
    pause: 'paused',
    cancel: 'cancelled',
  },
  paused: { ended: 'completed', resume: 'active', cancel: 'cancelled' },
  // Cancelled once more it is what it was.
  cancelled: { cancel: 'cancelled' },
  completed: {},
};

/** Where a move leads; null where it cannot be made. */
export function statusAfter(status: SubscriptionStatus, move: Move): SubscriptionStatus | null {
  return TABLE[status][move] ?? null;
}

/** Whether nothing more becomes of it. */
export function isFinal(status: SubscriptionStatus): boolean {
  return status === 'cancelled' || status === 'completed';
}

/** Why an attempt can fail, in the codes of the refusals that a payment made by hand would get; `budget` is what the key that began it
 * may spend. */
export const CHARGE_FAILURES = [
  'account_suspended',
  'verification_required',
  'seller_cannot_be_paid',
  'account_restricted',
  'spending_limit',
  'budget',
  'payment_required',
] as const;
export type ChargeFailure = (typeof CHARGE_FAILURES)[number];

/** The journal that moves the money of a period, once. */
export function chargeJournal(subscription_id: string, period: number): string {
  return `charge:${subscription_id}:${period}`;
}

/** A subscription as far as its course goes. Times are epoch milliseconds. */
export interface Course extends Periods {
  readonly status: SubscriptionStatus;
  /** The period that is charged next; those before it were charged or have passed. */
  readonly next_period: number;
  /** Null while no attempt is due: it is paused, over, or ends before the next period. */
  readonly next_charge_at: number | null;
  readonly max_charges: number | null;
  readonly ends_at: number | null;
  readonly charges_made: number;
  readonly failed_attempts: number;
  readonly ended_at: number | null;
}

export type Change = Partial<Omit<Course, keyof Periods | 'max_charges' | 'ends_at'>>;

/** Whether its end by time has come, which holds from that instant on, whoever looks. */
export function isOver({ status, ends_at }: Course, now_ms: number): boolean {
  return !isFinal(status) && ends_at !== null && now_ms >= ends_at;
}

/** When something has to be done for it next: an attempt, or its end. */
export function dueAt({ status, next_charge_at, ends_at }: Course): number | null {
  if (isFinal(status)) return null;
  return next_charge_at === null || ends_at === null ? (next_charge_at ?? ends_at) : Math.min(next_charge_at, ends_at);
}

/** The period that an attempt at this time is for: one that has wholly passed is skipped (rules.md 8). */
export function periodDue(course: Course, now_ms: number): number {
  return Math.max(course.next_period, periodAt(course, now_ms));
}

/** When a period is to be charged; null where the end comes before it. */
function chargeAt(course: Course, period: number): number | null {
  const at = periodStart(course, period);
  return course.ends_at !== null && at >= course.ends_at ? null : at;
}

function endedBy(status: 'cancelled' | 'completed', now_ms: number): Change {
  return { status, next_charge_at: null, ended_at: now_ms };
}

/** After a period was paid for. */
export function charged(course: Course, period: number, now_ms: number): Change {
  const charges_made = course.charges_made + 1;
  const paid = { charges_made, failed_attempts: 0, next_period: period + 1 };
  if (charges_made === course.max_charges) return { ...paid, ...endedBy('completed', now_ms) };
  return { ...paid, status: 'active', next_charge_at: chargeAt(course, period + 1) };
}

/** After an attempt that failed: another one a day later, or none any more. */
export function failed(course: Course, now_ms: number): Change {
  const failed_attempts = course.failed_attempts + 1;
  if (failed_attempts >= ATTEMPTS_MAX) return { failed_attempts, status: 'paused', next_charge_at: null };
  return { failed_attempts, status: 'past_due', next_charge_at: now_ms + DAY_MS };
}

/** After its end by time. */
export function completed(now_ms: number): Change {
  return endedBy('completed', now_ms);
}

/** After a pause by the paying side; null where it cannot be paused. */
export function paused({ status }: Course): Change | null {
  return statusAfter(status, 'pause') && { status: 'paused', next_charge_at: null };
}

/** After its resumption: the next charge is at the next boundary of periods, and nothing is paid for what lies before. */
export function resumed(course: Course, now_ms: number): Change | null {
  if (!statusAfter(course.status, 'resume')) return null;
  const next_period = Math.max(course.next_period, periodFrom(course, now_ms));
  const next_charge_at = chargeAt(course, next_period);
  return { status: 'active', failed_attempts: 0, next_period, next_charge_at };
}

/** After a cancellation by either side; null where it has come to its own end. */
export function cancelled({ status, ended_at }: Course, now_ms: number): Change | null {
  return statusAfter(status, 'cancel') && endedBy('cancelled', ended_at ?? now_ms);
}
