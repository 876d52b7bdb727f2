// Actions: calls of a program beyond the bounds of its agent, on which its person decides, once and within three days (rules.md 8).

import { type Fault, fault } from '../fault.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';

/** How long an action waits for a decision, and how long it is stored. */
export const ACTION_MS = 72 * HOUR_MS;
export const ACTION_KEPT_MS = 90 * DAY_MS;

/** Pending actions of an agent: a person reviews no more, and a program that keeps asking is faulty. */
export const ACTIONS_OPEN_MAX = 25;

/** New actions of an agent in a day (UTC), however short a policy lets each wait, so that the stored ones stay few enough to be read at
 * each payment. */
export const ASKED_A_DAY = 500;

/** How long a person's rejection also applies to repeated equal calls. */
export const REFUSED_MS = DAY_MS;

/** The operations that a person's approval runs. */
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

/** The fields of a stored action that decide its status. */
interface Standing {
  readonly status: 'pending' | 'approved' | 'rejected' | 'failed' | 'withdrawn';
  readonly respond_by: number;
  readonly decided_at: number | null;
  /** The policy's outcome without an answer. */
  readonly on_timeout: 'refuse' | 'allow' | null;
  readonly result: object | null;
}

/** The current status: an action without a timely decision is expired. With `on_timeout: 'allow'` it stays pending until it has run or
 * was refused, and a person's rejection counts until then. */
export function actionStatus(action: Standing, now_ms: number): Standing['status'] | 'expired' {
  const { status, respond_by, on_timeout, result } = action;
  if (status !== 'pending' || now_ms <= respond_by) return status;
  return on_timeout === 'allow' && result === null ? status : 'expired';
}

/** Why the action does not run without an answer; null where a policy allows it and its time is over. */
export function silenceFault(
  { status, respond_by, on_timeout }: Pick<Standing, 'status' | 'respond_by' | 'on_timeout'>,
  now_ms: number,
): Fault<'already_answered' | 'expired'> | null {
  if (status !== 'pending') return fault('already_answered', 'This was decided already.', { status });
  return on_timeout === 'allow' && now_ms >= respond_by ? null : fault('expired');
}

/** Why the action takes no decision any more, or null. */
export function decidedFault(action: Standing, now_ms: number): Fault<'already_answered' | 'expired'> | null {
  const status = actionStatus(action, now_ms);
  if (status === 'pending') return null;
  if (status === 'expired') return fault('expired');
  if (status === 'withdrawn') return fault('already_answered', 'Its program has withdrawn this.', { status });
  return fault('already_answered', 'This was decided already.', { status });
}
