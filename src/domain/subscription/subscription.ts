// The states of a subscription (interface.md, States, Subscription): every state with every move, and when the next attempt at a
// charge is due. A period is charged at most once and never after it has passed, and an ended subscription stays ended.
import { DAY_MS } from '../time.ts';
import { type Periods, periodAt, periodFrom, periodStart } from './period.ts';

/** Includes the first failure (Q85). */
const ATTEMPTS_MAX = 4;

export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'paused', 'cancelled', 'completed'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The moves: `given_up` is the last failed attempt, `ended` its last charge or its end by time. */
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
  // A repeated cancellation changes nothing.
  cancelled: { cancel: 'cancelled' },
  completed: {},
};

/** The state after a move; null where it is not allowed. */
export function statusAfter(status: SubscriptionStatus, move: Move): SubscriptionStatus | null {
  return TABLE[status][move] ?? null;
}

/** Whether the state is final. */
export function isFinal(status: SubscriptionStatus): boolean {
  return status === 'cancelled' || status === 'completed';
}

/** Why an attempt can fail, in the fault codes of manual payments; `budget` is the spending budget of the key that started it. */
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

/** The id of the journal that charges a period, once. */
export function chargeJournal(subscription_id: string, period: number): string {
  return `charge:${subscription_id}:${period}`;
}

/** The fields of a subscription for its states. Times are epoch milliseconds. */
export interface Course extends Periods {
  readonly status: SubscriptionStatus;
  /** The next period to charge; earlier ones were charged or have passed. */
  readonly next_period: number;
  /** Null while no attempt is due: it is paused, has ended, or ends before the next period. */
  readonly next_charge_at: number | null;
  readonly max_charges: number | null;
  readonly ends_at: number | null;
  readonly charges_made: number;
  readonly failed_attempts: number;
  readonly ended_at: number | null;
}

export type Change = Partial<Omit<Course, keyof Periods | 'max_charges' | 'ends_at'>>;

/** Whether its end by time has passed, also before that is recorded. */
export function isOver({ status, ends_at }: Course, now_ms: number): boolean {
  return !isFinal(status) && ends_at !== null && now_ms >= ends_at;
}

/** The time of the next attempt or of its end. */
export function dueAt({ status, next_charge_at, ends_at }: Course): number | null {
  if (isFinal(status)) return null;
  return next_charge_at === null || ends_at === null ? (next_charge_at ?? ends_at) : Math.min(next_charge_at, ends_at);
}

/** The period of an attempt at this time; periods that have passed are skipped (rules.md 8). */
export function periodDue(course: Course, now_ms: number): number {
  return Math.max(course.next_period, periodAt(course, now_ms));
}

/** When to charge a period; null where the end comes before it. */
function chargeAt(course: Course, period: number): number | null {
  const at = periodStart(course, period);
  return course.ends_at !== null && at >= course.ends_at ? null : at;
}

function endedBy(status: 'cancelled' | 'completed', now_ms: number): Change {
  return { status, next_charge_at: null, ended_at: now_ms };
}

/** The changes after a paid period. */
export function charged(course: Course, period: number, now_ms: number): Change {
  const charges_made = course.charges_made + 1;
  const paid = { charges_made, failed_attempts: 0, next_period: period + 1 };
  if (charges_made === course.max_charges) return { ...paid, ...endedBy('completed', now_ms) };
  return { ...paid, status: 'active', next_charge_at: chargeAt(course, period + 1) };
}

/** The changes after a failed attempt: another one a day later, or none any more. */
export function failed(course: Course, now_ms: number): Change {
  const failed_attempts = course.failed_attempts + 1;
  if (failed_attempts >= ATTEMPTS_MAX) return { failed_attempts, status: 'paused', next_charge_at: null };
  return { failed_attempts, status: 'past_due', next_charge_at: now_ms + DAY_MS };
}

/** The changes after its end by time. */
export function completed(now_ms: number): Change {
  return endedBy('completed', now_ms);
}

/** The changes of a pause by the paying side; null where it is not allowed. */
export function paused({ status }: Course): Change | null {
  return statusAfter(status, 'pause') && { status: 'paused', next_charge_at: null };
}

/** The changes of a resumption: the next charge is at the next period boundary, and the time before is free. */
export function resumed(course: Course, now_ms: number): Change | null {
  if (!statusAfter(course.status, 'resume')) return null;
  const next_period = Math.max(course.next_period, periodFrom(course, now_ms));
  const next_charge_at = chargeAt(course, next_period);
  return { status: 'active', failed_attempts: 0, next_period, next_charge_at };
}

/** The changes of a cancellation by either side; null where it is completed. */
export function cancelled({ status, ended_at }: Course, now_ms: number): Change | null {
  return statusAfter(status, 'cancel') && endedBy('cancelled', ended_at ?? now_ms);
}
