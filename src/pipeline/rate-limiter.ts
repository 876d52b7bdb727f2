// Request rates, on the service's clock: per account for authenticated callers, per address for others. They are counted in
// memory. Nodes that share a database each admit an eighth of the remaining rate before an exchange with the others, so a caller
// at its limit costs some fifty exchanges a minute, and one far below it hardly any. Before an exchange each further node may
// admit that eighth beyond the limit.
import type { RateCount, SharedRates } from '../../db/store.ts';
import { STRETCH_SECONDS } from '../../db/store.ts';
import { FRESH_RATE, isIdle, type RateState, takeRequest, usedOf } from '../domain/identity/rate.ts';

/** Callers in memory. Above it those that were quiet for a minute are evicted, and if that is not enough the oldest tenth, so that
 * an attacker with many addresses can neither fill the memory nor slow down requests. */
const CALLERS_MAX = 50_000;
/** The share of the remaining rate that is admitted without an exchange. */
const UNSAID_PART = 8;
/** Counts are exchanged after this time, unless they are below a hundredth of the limit. */
const SAID_MS = 5_000;
const WORTH_PART = 100;
/** Callers in one exchange. */
const EXCHANGE_MAX = 500;

interface Caller {
  state: RateState;
  /** The requests admitted by other nodes, as far as known. */
  elsewhere: RateState;
  /** Requests that no other node knows of. */
  unsaid: number;
  limit: number;
  asking: Promise<void> | null;
}

export class RateLimiter {
  readonly #callers = new Map<string, Caller>();
  readonly #shared: SharedRates | null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(shared: SharedRates | null) {
    this.#shared = shared;
  }

  /** 0 when the request may pass, else the seconds to wait. */
  take(name: string, now_ms: number, limit_per_minute: number): number | Promise<number> {
    const caller = this.#caller(name, now_ms);
    caller.limit = limit_per_minute;
    if (this.#shared !== null && mustSay(caller, now_ms)) {
      caller.asking ??= this.#say([name], now_ms).finally(() => {
        caller.asking = null;
      });
      return caller.asking.then(() => this.take(name, now_ms, limit_per_minute));
    }
    const taken = takeRequest(caller.state, now_ms, limit_per_minute, caller.elsewhere);
    caller.state = taken.state;
    if (taken.ok && this.#shared !== null) {
      caller.unsaid += 1;
      this.#timer ??= setTimeout(() => this.#sayRest(now_ms), SAID_MS).unref();
    }
    return taken.ok ? 0 : taken.retry_after_seconds;
  }

  #caller(name: string, now_ms: number): Caller {
    const known = this.#callers.get(name);
    if (known) return known;
    if (this.#callers.size >= CALLERS_MAX) this.#forget(now_ms);
    const made = { state: FRESH_RATE, elsewhere: FRESH_RATE, unsaid: 0, limit: 0, asking: null };
    this.#callers.set(name, made);
    return made;
  }

  /** Exchanges counts with the others. Rates must not delay requests when the database does not answer. */
  async #say(names: readonly string[], now_ms: number): Promise<void> {
    const counts: RateCount[] = [];
    for (const name of names) {
      const caller = this.#callers.get(name);
      if (!caller) continue;
      caller.unsaid = 0;
      for (const [at, n] of byStretch(caller.state)) counts.push({ caller: name, at, n });
    }
    const heard = await this.#shared?.exchange(counts, now_ms).catch(() => null);
    if (!heard) return;
    for (const name of names) {
      const caller = this.#callers.get(name);
      if (caller) caller.elsewhere = heard.get(name) ?? FRESH_RATE;
    }
  }

  async #sayRest(now_ms: number): Promise<void> {
    const names = [...this.#callers].flatMap(([name, { unsaid, limit }]) =>
      unsaid > 0 && unsaid >= limit / WORTH_PART ? [name] : [],
    );
    for (let at = 0; at < names.length; at += EXCHANGE_MAX) {
      await this.#say(names.slice(at, at + EXCHANGE_MAX), now_ms + SAID_MS);
    }
    this.#timer = null;
  }

  #forget(now_ms: number): void {
    for (const [name, { state }] of this.#callers) if (isIdle(state, now_ms)) this.#callers.delete(name);
    if (this.#callers.size <= CALLERS_MAX * 0.9) return;
    for (const name of [...this.#callers.keys()].slice(0, CALLERS_MAX / 10)) this.#callers.delete(name);
  }
}

/** Whether an exchange is needed before a caller's next request is admitted. A request that is refused anyway needs
 * none. */
function mustSay({ state, elsewhere, unsaid, limit }: Caller, now_ms: number): boolean {
  if (unsaid === 0) return false;
  const left = limit - usedOf(state, now_ms) - usedOf(elsewhere, now_ms);
  return left > 0 && unsaid >= Math.max(1, Math.floor(left / UNSAID_PART));
}

/** The requests of a state by the stretch in which they came. */
function byStretch(state: RateState): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { second, count } of state) {
    const at = second - (second % STRETCH_SECONDS);
    counts.set(at, (counts.get(at) ?? 0) + count);
  }
  return counts;
}
