// Waiting with an end: pauses that a signal cuts short, and a signal that also fires after a time. Timers are cleared as
// soon as nobody waits for them, so that a program that is done can end.

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

/** A limit on the time of one thing. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the time ran out, rather than the caller's patience. */
  readonly expired: () => boolean;
  /** Begins the time anew. */
  readonly begin: () => void;
  /** Lets no time count until it begins anew. */
  readonly rest: () => void;
  /** Ends it: nothing is watched any more. */
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

/** The first pause of a row that doubles. */
const PAUSE_FIRST_MS = 500;
/** A server that is away for long is asked twice a minute. */
const PAUSE_MAX_MS = 30_000;

/** How long to wait before the n-th repetition, from 1: doubling, and scattered over its upper half, so that clients that
 * were cut off together do not come back together. */
export function backoff(n: number): number {
  const full = Math.min(PAUSE_FIRST_MS * 2 ** (n - 1), PAUSE_MAX_MS);
  return full / 2 + (Math.random() * full) / 2;
}
