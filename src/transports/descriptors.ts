// Tells when the descriptors of this process run short: each connection takes one, and without a free one nobody is let in, not even
// who asks whether the service is well. Connections that wait for nothing are closed then.
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Log } from '../log.ts';

const LOOK_MS = 1_000;
/** Of the limit: when more are taken they run short. */
const SHORT_SHARE = 0.9;
/** While they stay short it is told again this often. */
const AGAIN_MS = 60_000;

/** The limit of this process; none where the system does not tell it. */
function limitOf(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The number of the lowest descriptor that is free: so many are taken below it. Null when there is none. */
function lowestFree(): number | null {
  try {
    const descriptor = openSync('/dev/null', 'r');
    closeSync(descriptor);
    return descriptor;
  } catch {
    return null;
  }
}

export class DescriptorWatch {
  readonly #log: Log;
  readonly #closeIdle: () => void;
  readonly #limit: number;
  #told_at = Number.NEGATIVE_INFINITY;
  #short = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `closeIdle` closes connections on which nothing is under way. */
  constructor(log: Log, closeIdle: () => void, limit = limitOf()) {
    this.#log = log;
    this.#closeIdle = closeIdle;
    this.#limit = limit;
  }

  /** How many looks found them short. */
  get short(): number {
    return this.#short;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  look(): void {
    const free = lowestFree();
    if (free !== null && free < SHORT_SHARE * this.#limit) return;
    this.#short += 1;
    this.#closeIdle();
    const now_ms = performance.now();
    if (now_ms - this.#told_at < AGAIN_MS) return;
    this.#told_at = now_ms;
    this.#log.warn('descriptors run short: idle connections are closed; raise LimitNOFILE', {
      count: free ?? this.#limit,
    });
  }
}
