// How many requests a caller may make: its account's as the plan says, whatever credentials it brings; without an account its
// address's (Q151). Every door counts here, and requests that run no operation count too.

import type { Principal } from '../contract/context.ts';
import { fault } from '../domain/fault.ts';
import { clientOf } from '../domain/identity/ip.ts';
import { ANONYMOUS_PER_MINUTE, PLANS } from '../domain/identity/plan.ts';
import type { Call, Refused } from './call.ts';
import type { Core } from './core.ts';
import { RateLimiter } from './rate-limiter.ts';

function tooManyRefusal(retry_after_seconds: number): Refused | null {
  return retry_after_seconds === 0 ? null : { refusal: fault('rate_limited', undefined, { retry_after_seconds }) };
}

export class CallerRates {
  readonly #core: Pick<Core, 'settings' | 'clock'>;
  readonly #limiter: RateLimiter;

  constructor(core: Pick<Core, 'settings' | 'clock' | 'store'>) {
    this.#core = core;
    this.#limiter = new RateLimiter(core.store.rates);
  }

  /** Counts a request; the refusal of one too many. A promise only where other nodes have to be asked first. */
  refusal(
    { origin, counted }: Pick<Call, 'origin' | 'counted'>,
    principal: Principal | null,
  ): Refused | null | Promise<Refused | null> {
    const { settings, clock } = this.#core;
    if (!settings.rate_limits || counted || principal?.kind === 'platform' || principal?.kind === 'mail') return null;
    const known = principal?.account_id ?? null;
    const limit = known && principal ? PLANS[principal.plan].requests_per_minute : ANONYMOUS_PER_MINUTE;
    const taken = this.#limiter.take(known ?? `ip:${clientOf(origin.ip)}`, clock.now(), limit);
    return typeof taken === 'number' ? tooManyRefusal(taken) : taken.then(tooManyRefusal);
  }
}
