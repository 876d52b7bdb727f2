// The rate of each caller: requests are counted to an account, to its sessions, or to an address without an account.
import type { Principal } from '../contract/context.ts';
import { tooMany } from '../domain/fault.ts';
import { ANONYMOUS_PER_MINUTE, PLANS, sessionsPerMinute } from '../domain/identity/plan.ts';
import { clientOf } from '../domain/identity/rate.ts';
import { MINUTE_MS } from '../domain/time.ts';
import type { Call, Refused } from './call.ts';
import type { Core } from './core.ts';
import { RateLimiter } from './rate-limiter.ts';

function tooManyRefusal(wait_seconds: number, limit: number): Refused | null {
  if (wait_seconds === 0) return null;
  return { refusal: tooMany({ limit, window_ms: MINUTE_MS, wait_ms: wait_seconds * 1000 }) };
}

/** Whose requests are counted together, and how many may pass in a minute. */
function rateOf(principal: Principal | null, ip: string): readonly [caller: string, limit: number] {
  const account_id = principal?.account_id ?? null;
  if (principal === null || account_id === null) return [`ip:${clientOf(ip)}`, ANONYMOUS_PER_MINUTE];
  if (principal.kind === 'session') return [`sessions:${account_id}`, sessionsPerMinute(principal.plan)];
  return [account_id, PLANS[principal.plan].requests_per_minute];
}

export class CallerRates {
  readonly #core: Pick<Core, 'settings' | 'clock'>;
  readonly #limiter: RateLimiter;

  constructor(core: Pick<Core, 'settings' | 'clock' | 'store'>) {
    this.#core = core;
    this.#limiter = new RateLimiter(core.store.rates);
  }

  /** Counts a request; returns the refusal above the limit. A promise only when other nodes have to be asked first. */
  refusal(
    { origin, counted }: Pick<Call, 'origin' | 'counted'>,
    principal: Principal | null,
  ): Refused | null | Promise<Refused | null> {
    const { settings, clock } = this.#core;
    if (!settings.rate_limits || counted || principal?.kind === 'platform' || principal?.kind === 'mail') return null;
    const [caller, limit] = rateOf(principal, origin.ip);
    const taken = this.#limiter.take(caller, clock.now(), limit);
    if (typeof taken === 'number') return tooManyRefusal(taken, limit);
    return taken.then((wait_seconds) => tooManyRefusal(wait_seconds, limit));
  }
}
