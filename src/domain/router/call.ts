// The states of a routed call: open while providers are asked, then one end state. A repeated request finds it by the claim of its
// Idempotency-Key, without another dispatch.
import { DAY_MS } from '../time.ts';

/** All attempts of a call together. */
export const CALL_MS = 60_000;
export const ATTEMPT_MS = 15_000;
/** How long after its deadline an open call is given up: its process has died, or is very late. */
const GRACE_MS = 30_000;
/** How long results are stored for repeated requests. */
export const RESULT_KEPT_MS = DAY_MS;
/** How long uncharged calls are stored. */
export const RECEIPT_KEPT_MS = 90 * DAY_MS;
/** Candidates of one call. */
export const CANDIDATES_MAX = 20;

interface Known {
  readonly status: 'open' | 'served' | 'failed' | 'unknown';
  readonly request_hash: string | null;
  readonly deadline_at: number;
}

export function givenUpAt({ deadline_at }: Pick<Known, 'deadline_at'>): number {
  return deadline_at + GRACE_MS;
}

/** The outcome of a repeat under a call's key: the key belongs to another request, the call is open, served, or its outcome is unknown. */
export function repeatOf(call: Known, request_hash: string, now_ms: number): 'other' | 'open' | 'served' | 'unknown' {
  if (call.request_hash !== request_hash) return 'other';
  if (call.status === 'served') return 'served';
  return call.status === 'open' && now_ms < givenUpAt(call) ? 'open' : 'unknown';
}

export function receiptStatus({
  status,
  price_cents,
}: {
  readonly status: Known['status'];
  readonly price_cents: number;
}): 'charged' | 'not_charged' | 'unknown' | 'open' {
  if (status === 'served') return price_cents > 0 ? 'charged' : 'not_charged';
  return status === 'failed' ? 'not_charged' : status;
}
