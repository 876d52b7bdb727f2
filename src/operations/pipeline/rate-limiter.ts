// Request rates, in memory, on the service's clock: per account for those who are known, per address for the rest.
import { FRESH_RATE, isIdle, type RateState, take } from '../../domain/rate.ts';

/** Callers remembered at once. Above it those that were quiet for a minute are forgotten, and if that is not enough the
 * tenth that came first: one who owns many addresses must not be able to fill the memory or slow every request down. */
const CALLERS_MAX = 50_000;

export class RateLimiter {
  readonly #states = new Map<string, RateState>();

  /** 0 when the request may pass, else the seconds to wait. */
  take(caller: string, now_ms: number, limit_per_minute: number): number {
    if (this.#states.size > CALLERS_MAX) this.#forget(now_ms);
    const taken = take(this.#states.get(caller) ?? FRESH_RATE, now_ms, limit_per_minute);
    this.#states.set(caller, taken.state);
    return taken.ok ? 0 : taken.retry_after_seconds;
  }

  #forget(now_ms: number): void {
    for (const [caller, state] of this.#states) if (isIdle(state, now_ms)) this.#states.delete(caller);
    if (this.#states.size <= CALLERS_MAX * 0.9) return;
    for (const caller of [...this.#states.keys()].slice(0, CALLERS_MAX / 10)) this.#states.delete(caller);
  }
}
