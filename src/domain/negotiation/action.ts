// Actions: what a program asked for outside the bounds of its agent, and what its person says to it. The rule kept here is that one is
// decided once, within three days (rules.md 8).

import { type Fault, fault } from '../fault.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';

/** How long it waits for a word, and how long it is kept. */
export const ACTION_MS = 72 * HOUR_MS;
export const ACTION_KEPT_MS = 90 * DAY_MS;

/** So many of one agent wait for its person at most: nobody looks through more, and a program that asks on is one gone wrong. */
export const ACTIONS_OPEN_MAX = 25;

/** So much new is asked of a person on a day (UTC) at most, however short a policy lets each of it wait: what is kept for months stays few
 * enough to be looked through at each payment. */
export const ASKED_A_DAY = 500;

/** How long a person's no to something answers whoever asks for the very same again. */
export const REFUSED_MS = DAY_MS;

/** The operations that a person's yes does. */
export const PERFORMABLE = [
  'wallet.send',
  'marketplace.checkout',
  'escrow.create',
  'subscription.create',
  'demand.quote',
  'demand.award',
  'router_call.make',
] as const;

export type Performable = (typeof PERFORMABLE)[number];

/** What of a stored one says whether it waits. */
interface Standing {
  readonly status: 'pending' | 'approved' | 'rejected' | 'failed' | 'withdrawn';
  readonly respond_by: number;
  readonly decided_at: number | null;
  /** What a policy lets come of no answer. */
  readonly on_timeout: 'refuse' | 'allow' | null;
  readonly result: object | null;
}

/** Its state now: what nobody decided in time is over by itself. What a policy lets happen then waits until it has, or was refused: a
 * person's no counts up to that moment. */
export function actionStatus(action: Standing, now_ms: number): Standing['status'] | 'expired' {
  const { status, respond_by, on_timeout, result } = action;
  if (status !== 'pending' || now_ms <= respond_by) return status;
  return on_timeout === 'allow' && result === null ? status : 'expired';
}

/** Why it does not happen by itself; null where a policy lets it, and its time is over without an answer. */
export function silenceFault(
  { status, respond_by, on_timeout }: Pick<Standing, 'status' | 'respond_by' | 'on_timeout'>,
  now_ms: number,
): Fault<'already_answered' | 'expired'> | null {
  if (status !== 'pending') return fault('already_answered', 'This was decided already.', { status });
  return on_timeout === 'allow' && now_ms >= respond_by ? null : fault('expired');
}

/** Why it takes no decision any more; null where it waits for one. */
export function decidedFault(action: Standing, now_ms: number): Fault<'already_answered' | 'expired'> | null {
  const status = actionStatus(action, now_ms);
  if (status === 'pending') return null;
  if (status === 'expired') return fault('expired');
  if (status === 'withdrawn') return fault('already_answered', 'Its program has withdrawn this.', { status });
  return fault('already_answered', 'This was decided already.', { status });
}
