// The rules of webhooks: which events one gets, the effect of a delivery, and when a failed one is retried. Ten
// consecutive failures deactivate it and one success resets the count (interface.md, Webhook states; rules.md 7).

import { type Fault, fault, invalid } from '../fault.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';
import { EVENT_KINDS, isEventKind } from './event.ts';

/** Respond within 10 seconds (interface.md, Failure handling and logs). */
export const DEADLINE_MS = 10_000;
/** Webhooks of an agent, including its own one of the intake. */
export const WEBHOOKS_MAX = 20;
/** Consecutive failures that deactivate (Q89). */
const FAILURES_MAX = 10;
/** How long the old secret also signs after a rotation. */
export const ROTATION_MS = DAY_MS;
/** The limits of the log of one webhook. */
export const LOGS_MAX = 1_000;
export const LOG_LIFE_MS = 30 * DAY_MS;
/** The bytes of an answer's body that a log keeps. */
export const BODY_SHOWN = 1_024;

/** Subscribes to everything. */
const ALL = '*';

/** The pauses of `retry: true` (rules.md 7), each before the next attempt. */
const RETRIES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** Pauses are lengthened by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** A receiver may ask for a longer pause by Retry-After, but not for longer than this. */
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
const GONE = 410;

/** The fields of a webhook that deliveries change. */
export interface HookState {
  readonly active: boolean;
  readonly failure_count: number;
}

/** The stored subscription: names without duplicates, or `*` alone. Fault: `invalid_request` naming unknown events (Q141). */
export function readEvents(given: readonly string[]): readonly string[] | Fault<'invalid_request'> {
  const unknown = given.flatMap((name, at) =>
    name === ALL || isEventKind(name)
      ? []
      : [{ path: `events.${at}`, message: `There is no event ${name}; use * or some of ${EVENT_KINDS.join(', ')}.` }],
  );
  if (unknown.length > 0) return invalid(...unknown);
  return given.includes(ALL) ? [ALL] : [...new Set(given)];
}

/** Whether a webhook gets events of a kind; the agent's own one gets all (Q142). */
export function subscribes(kind: 'agent' | 'developer', events: readonly string[], event: string): boolean {
  return kind === 'agent' || events.includes(ALL) || events.includes(event);
}

/** Whether an answer accepted the event: only a 2xx does. */
export function isAccepted(http_status: number | null): boolean {
  return http_status !== null && http_status >= 200 && http_status < 300;
}

export interface Attempted {
  /** Whether the receiver accepted the event: a complete 2xx answer came in time. */
  readonly accepted: boolean;
  readonly http_status: number | null;
  readonly retry: boolean;
}

/** One attempt to deliver an event to a webhook, and its outcome. */
export interface Attempt extends Attempted {
  /** The id of its log. */
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly seq: number;
  readonly event: string;
  readonly payload: Record<string, unknown>;
  readonly at: number;
  readonly response_ms: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  /** The receiver's Retry-After. */
  readonly retry_after: string | undefined;
  /** The webhook before it. */
  readonly before: HookState;
  /** The number of attempts at this event, this one included; null when no retry follows in any case. */
  readonly number: number | null;
}

/** A webhook after one attempt. With retries, 410 deactivates it (Standard Webhooks). */
export function afterAttempt(hook: HookState, { accepted, http_status, retry }: Attempted): HookState {
  if (accepted) return { ...hook, failure_count: 0 };
  const failure_count = hook.failure_count + 1;
  const over = failure_count >= FAILURES_MAX || (retry && http_status === GONE);
  return { active: hook.active && !over, failure_count };
}

/** Milliseconds until the attempt after `attempts` failed ones, or null when it was the last. `luck` is 0 to 1;
 * `retry_after` is the receiver's header. */
export function retryPause(attempts: number, luck: number, retry_after: string | undefined): number | null {
  const pause = RETRIES_MS[attempts - 1];
  if (pause === undefined) return null;
  const asked_ms = /^\d{1,9}$/.test(retry_after ?? '') ? Number(retry_after) * 1000 : 0;
  return Math.round(Math.max(pause * (1 + JITTER * luck), Math.min(asked_ms, RETRY_AFTER_MS_MAX)));
}

/** Why an agent may have no further webhook. */
export function webhooksFullFault(): Fault<'plan_limit'> {
  const data = { limit: WEBHOOKS_MAX, used: WEBHOOKS_MAX, resets_at: null };
  return fault('plan_limit', `An agent has ${WEBHOOKS_MAX} webhooks at most.`, data);
}
