// Runs all work that waits for the network: deliveries, letters, checks of sites and records, vectors from an endpoint. Calls
// to one host are limited, each has a deadline, and none outlives the service. Work that must not be lost has a durable row
// before it begins (a reminder, an outbound row, an undelivered event). The commit that stores the outcome deletes that row,
// so a crash before it repeats the work.
import { HostSlots, PER_HOST } from './host-slots.ts';

export interface Task {
  /** The hosts that it calls: it holds a slot at each while it works. */
  readonly hosts: readonly string[];
  /** Wall-clock time from its start, after which it is aborted. */
  readonly deadline_ms: number;
  /** It only reads: a stop aborts it at once. Work that others receive is given a moment, because repeating it sends a
   * second copy. */
  readonly looks?: boolean;
  /** The work; `gone` aborts at the deadline and when the service stops. Nothing may be written after that. */
  work(gone: AbortSignal): Promise<void>;
}

/** Called when a task throws, with the part of its key before the colon. */
type Failed = (kind: string, error: unknown) => void;

/** The most tasks in memory. Further ones are left to their durable rows. */
const KNOWN_MAX = 20_000;
/** How many run side by side. */
interface SideBySide {
  /** All hosts together; each task mostly waits for the network. */
  readonly at_once: number;
  readonly per_host: number;
}

const USUAL: SideBySide = { at_once: 256, per_host: PER_HOST };

/** Of calls that a caller waits for, so that slow hosts cannot fill all places. */
export const OF_CALLS: SideBySide = { at_once: 4_096, per_host: 64 };

/** Of model calls, with the agent in place of the host: one at a time for each agent. */
export const OF_MODELS: SideBySide = { at_once: 32, per_host: 1 };

/** Of turns that wait for a model or an outside embedder, so that slow ones delay nothing else; one at a time for each agent too. */
export const OF_TURNS: SideBySide = { at_once: 1_024, per_host: 1 };

/** How long a stop waits for work that others receive before it aborts that. */
const STOP_MS = 2_000;

interface Known {
  task: Task;
  /** The task set under the key while another one ran. */
  next: Task | null;
  running: AbortController | null;
  readonly waitForEndOf: PromiseWithResolvers<void>;
}

/** Resolves when a signal aborts; `leave` forgets it. */
export function waitForAbort(signal: AbortSignal): { readonly promise: Promise<void>; leave(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cut = (): void => resolve();
  if (signal.aborted) cut();
  signal.addEventListener('abort', cut, { once: true });
  return { promise, leave: () => signal.removeEventListener('abort', cut) };
}

export class BackgroundTasks {
  /** Shared with components that keep queues of their own. */
  readonly slots: HostSlots;
  readonly #at_once: number;
  readonly #failed: Failed;
  readonly #known = new Map<string, Known>();
  readonly #queue: string[] = [];
  readonly #cut = new AbortController();
  #running = 0;
  #calls = 0;
  #stopping: Promise<void> | null = null;

  constructor(failed: Failed, { at_once, per_host }: SideBySide = USUAL) {
    this.#failed = failed;
    this.#at_once = at_once;
    this.slots = new HostSlots(per_host);
  }

  /** Aborts when the time for running tasks after a stop is over. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Runs a task once its hosts have room, after the running one of its key. It replaces one that still waits. */
  run(key: string, task: Task): void {
    if (this.#stopping) return;
    const known = this.#known.get(key);
    if (known?.running) known.next = task;
    else if (known) known.task = task;
    else if (this.#known.size < KNOWN_MAX) {
      this.#known.set(key, { task, next: null, running: null, waitForEndOf: Promise.withResolvers() });
      this.#queue.push(key);
      this.#pump();
    }
  }

  /** The answer of a call, for its waiting caller; null when there was none in time, including the wait for a slot. */
  async call<T>(task: Omit<Task, 'work'> & { work(gone: AbortSignal): Promise<T> }): Promise<T | null> {
    this.#calls += 1;
    const key = `call:${this.#calls}`;
    const { promise, resolve, reject } = Promise.withResolvers<T | null>();
    let has_ended = false;
    const work = async (gone: AbortSignal): Promise<void> => {
      try {
        const answer = await task.work(gone);
        resolve(gone.aborted ? null : answer);
      } catch (error) {
        reject(error);
      } finally {
        has_ended = true;
      }
    };
    this.run(key, { ...task, work });
    const over = this.over(key, task.deadline_ms).then(() => null);
    try {
      return await Promise.race([promise, over]);
    } finally {
      if (!has_ended) this.#known.get(key)?.running?.abort();
      this.#forget(key);
    }
  }

  /** Resolves when no task of this key is left, started or not. */
  waitForEnd(key: string): Promise<void> {
    return this.#known.get(key)?.waitForEndOf.promise ?? Promise.resolve();
  }

  /** The same, or after `wait_ms` by the wall clock. */
  async over(key: string, wait_ms: number): Promise<void> {
    const known = this.#known.get(key);
    if (!known) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, wait_ms);
    });
    await Promise.race([known.waitForEndOf.promise, late]);
    clearTimeout(timer);
  }

  /** Resolves when no task is left whose key does not begin with `but`. */
  async idle(but?: string): Promise<void> {
    for (;;) {
      const waited = [...this.#known].filter(([key]) => but === undefined || !key.startsWith(but));
      if (waited.length === 0) return;
      await Promise.all(waited.map(([, { waitForEndOf: over }]) => over.promise));
    }
  }

  /** Starts no more tasks and ends the running ones. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    for (const key of [...this.#known.keys()]) this.#forget(key);
    for (const { task, running } of this.#known.values()) if (task.looks) running?.abort();
    const late = setTimeout(() => {
      this.#cut.abort();
      for (const { running } of this.#known.values()) running?.abort();
    }, STOP_MS);
    await this.idle();
    clearTimeout(late);
  }

  /** Drops a task that has not started, and the one queued behind a running one. */
  #forget(key: string): void {
    const known = this.#known.get(key);
    if (!known) return;
    known.next = null;
    if (known.running) return;
    this.#known.delete(key);
    known.waitForEndOf.resolve();
  }

  readonly #called = (key: string): boolean => {
    if (!this.#known.has(key)) return false;
    this.#queue.push(key);
    this.#pump();
    return true;
  };

  #pump(): void {
    while (this.#running < this.#at_once) {
      const key = this.#queue.shift();
      if (key === undefined) return;
      const known = this.#known.get(key);
      if (!known || known.running) continue;
      const { hosts } = known.task;
      if (this.slots.take(hosts, key, this.#called)) void this.#begin(key, known, hosts);
    }
  }

  async #begin(key: string, known: Known, hosts: readonly string[]): Promise<void> {
    const gone = new AbortController();
    known.running = gone;
    this.#running += 1;
    await this.#one(key, known.task, gone);
    known.running = null;
    this.#running -= 1;
    this.slots.free(hosts);
    if (known.next !== null) {
      known.task = known.next;
      known.next = null;
      this.#queue.push(key);
    } else this.#forget(key);
    this.#pump();
  }

  async #one(key: string, { work, deadline_ms }: Task, gone: AbortController): Promise<void> {
    const timer = setTimeout(() => gone.abort(), deadline_ms);
    const cut = waitForAbort(gone.signal);
    try {
      await Promise.race([work(gone.signal), cut.promise]);
    } catch (error) {
      this.#failed(key.split(':', 1)[0] ?? key, error);
    } finally {
      clearTimeout(timer);
      cut.leave();
    }
  }
}
