// The demand board: requests for quotes up to a budget, until a time. Time closes a request, whether or not that is recorded yet; no
// account quotes its own request; and only the requester awards it, once (rules.md 9).

import { type Fault, fault, invalid } from '../fault.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';

export const DEMAND_STATUSES = ['open', 'awarded', 'closed'] as const;
export type DemandStatus = (typeof DEMAND_STATUSES)[number];

/** The actions on a request. */
export type DemandAction = 'quote' | 'pass' | 'extend' | 'award' | 'close';

/** The acting side: the requester, another agent of the same account, or any other agent. */
export type DemandRole = 'requester' | 'own_account' | 'other';

/** Sellers that a request notifies. */
export const WOKEN_MAX = 25;
/** Notifications of one seller by one account in a day. */
export const WAKES_A_DAY = 20;
/** A request is open for an hour at least and 90 days at most. */
const OPEN_MIN_MS = HOUR_MS;
const OPEN_MAX_MS = 90 * DAY_MS;
/** Allows for the time between the caller's clock reading and the arrival of its request. */
const GRACE_MS = 60_000;
/** Quotes of one seller for one request: each replaces the previous one, and all are kept. */
export const QUOTES_MAX = 50;

/** An agent that offers what a request asks for. */
export interface Seller {
  readonly id: string;
  readonly handle: string;
}

interface Timed {
  readonly status: DemandStatus;
  /** Epoch milliseconds. */
  readonly closes_at: number;
}

/** The status of a request at an instant: closed after its closing time. */
export function demandStatusAt({ status, closes_at }: Timed, now_ms: number): DemandStatus {
  return status === 'open' && now_ms >= closes_at ? 'closed' : status;
}

type Refusal = 'own_request' | 'request_closed' | 'not_found';

const OVER: Readonly<Record<Exclude<DemandStatus, 'open'>, string>> = {
  awarded: 'This request is awarded.',
  closed: 'This request is closed.',
};

/**
 * Why an action on a request is refused, or null. Sellers of other accounts quote and pass; all other actions belong to the requester
 * and are 404 for others.
 */
export function demandFault(status: DemandStatus, action: DemandAction, role: DemandRole): Fault<Refusal> | null {
  const sells = action === 'quote' || action === 'pass';
  if (sells && role !== 'other') return fault('own_request');
  if (!sells && role !== 'requester') return fault('not_found');
  return status === 'open' ? null : fault('request_closed', OVER[status], { status });
}

const windowText = 'Use a time from one hour to 90 days ahead.';

/** 400 naming `closes_at` unless it is from an hour to 90 days ahead. */
export function closesFault(closes_at: number, now_ms: number): Fault<'invalid_request'> | null {
  const ahead = closes_at - now_ms;
  if (ahead >= OPEN_MIN_MS - GRACE_MS && ahead <= OPEN_MAX_MS) return null;
  return invalid({ path: 'closes_at', message: windowText });
}

/** The same for an extension: later than before, and at most 90 days ahead. */
export function extendFault(closes_at: number, before: number, now_ms: number): Fault<'invalid_request'> | null {
  if (closes_at <= before) {
    return invalid({
      path: 'closes_at',
      message: 'It can only be moved to a later time; close the request to end it.',
    });
  }
  return closes_at - now_ms <= OPEN_MAX_MS ? null : invalid({ path: 'closes_at', message: windowText });
}

/** 400 `over_budget`, with the ceiling, for a price above it. */
export function priceFault(price_cents: number, budget_cents: number): Fault<'over_budget'> | null {
  if (price_cents <= budget_cents) return null;
  return fault('over_budget', `The request pays ${budget_cents} cents at most.`, { budget_cents, price_cents });
}

/** The stored states of quotes. */
export type QuoteStatus = 'standing' | 'replaced' | 'awarded';

/** Why a quote cannot be awarded: 409 `quote_replaced`, with its replacement. */
export function quoteFault(status: QuoteStatus, standing_id: string | null): Fault<'quote_replaced'> | null {
  return status === 'replaced' ? fault('quote_replaced', undefined, { quote_id: standing_id }) : null;
}

/** Whether a seller wants to be notified for a budget. */
export function wantsBudget(wake: { readonly min_demand_budget_cents?: number }, budget_cents: number): boolean {
  return budget_cents >= (wake.min_demand_budget_cents ?? 0);
}
