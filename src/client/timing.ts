// Pauses that a signal ends, and signals that also fire after a time. Timers are cleared as soon as they are not needed, so
// that a finished program can exit.

/** Waits; resolves early when the signal fires. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** A time limit. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the time ran out, rather than the caller's signal fired. */
  readonly expired: () => boolean;
  /** Restarts the time. */
  readonly begin: () => void;
  /** Stops the time until it is restarted. */
  readonly rest: () => void;
  /** Ends it, with its listeners. */
  readonly clear: () => void;
}

/** A signal that fires when its time is over, or with the caller's own. */
export function deadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let expired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const give_up = (): void => controller.abort(outer?.reason);
  const rest = (): void => clearTimeout(timer);
  const begin = (): void => {
    rest();
    timer = setTimeout(() => {
      expired = true;
      controller.abort();
    }, ms);
  };
  const clear = (): void => {
    rest();
    outer?.removeEventListener('abort', give_up);
  };
  if (outer?.aborted) give_up();
  outer?.addEventListener('abort', give_up, { once: true });
  begin();
  return { signal: controller.signal, expired: () => expired, begin, rest, clear };
}

/** The first pause; each following one doubles. */
const PAUSE_FIRST_MS = 500;
/** A server that is down for long is tried twice a minute. */
const PAUSE_MAX_MS = 30_000;

/** The pause before the n-th retry, from 1: doubling, with jitter over its upper half, so that clients that were
 * disconnected together do not reconnect together. */
export function backoff(n: number): number {
  const full = Math.min(PAUSE_FIRST_MS * 2 ** (n - 1), PAUSE_MAX_MS);
  return full / 2 + (Math.random() * full) / 2;
}
