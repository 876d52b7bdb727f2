// Reads untrusted mail in a thread of its own, one job after the other, so that no mail blocks the service. A job has a
// deadline; a thread that misses it is terminated, and the next job gets another. Only the 10 MiB of a mail and the deadline
// bound its memory: Bun 1.4.5 accepts `resourceLimits` and ignores them.
import { assertNever } from '../../domain/assert.ts';
import type { Dns, DnsAnswer } from '../dns.ts';
import { sha256Hex } from '../hash.ts';
import type { Done, FromThread, Job, ToThread } from './job.ts';

/** Ten times the largest ordinary mail's time on a slow machine; includes the DNS's eight seconds. */
const DEADLINE_MS = 15_000;
/** Each may hold a mail of 10 MiB; the SMTP listener has 24 connections. */
const WAITING_MAX = 32;
/** The thread holds some 20 MB, which are freed after a minute without mail. */
const IDLE_MS = 60_000;

/** Remembered mails that killed the thread; a sender retries within hours, and such mails are rare. */
const DEADLY_MAX = 100;

/** A failed job: it took too long (`late`), its mail killed the thread for the second time (`deadly`), or the queue was full
 * or the thread died, which may be temporary (`busy`). */
export interface Unread {
  readonly unread: 'late' | 'deadly' | 'busy';
}

interface Waiting {
  readonly job: Job;
  readonly settle: (done: Done[keyof Done] | Unread) => void;
}

// The DOM's type of Worker lacks Bun's `unref`.
type Thread = Worker & { unref(): void };

export class ReadingThread {
  readonly #dns: Dns;
  readonly #deadline_ms: number;
  readonly #queue: Waiting[] = [];
  #thread: Thread | null = null;
  #running: Waiting | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #jobs = 0;
  /** Hashes of the mails that killed the thread once. */
  readonly #deadly = new Set<string>();

  constructor(dns: Dns, deadline_ms = DEADLINE_MS) {
    this.#dns = dns;
    this.#deadline_ms = deadline_ms;
  }

  /** The number of started jobs. */
  get jobs(): number {
    return this.#jobs;
  }

  /** Runs a job after those before it. Never rejects. */
  run<K extends keyof Done>(job: Extract<Job, { job: K }>): Promise<Done[K] | Unread> {
    if (this.#queue.length >= WAITING_MAX) return Promise.resolve({ unread: 'busy' });
    const { promise, resolve } = Promise.withResolvers<Done[keyof Done] | Unread>();
    this.#queue.push({ job, settle: resolve });
    this.#next();
    // The thread answers a job with the type of its kind.
    return promise as Promise<Done[K] | Unread>;
  }

  #next(): void {
    if (this.#running) return;
    const next = this.#queue.shift();
    this.#after(next ? this.#deadline_ms : IDLE_MS, () => (next ? this.#failed('late') : this.stop()));
    if (!next) return;
    this.#running = next;
    this.#jobs += 1;
    this.#post({ kind: 'job', job: next.job });
  }

  #after(ms: number, run: () => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(run, ms);
    this.#timer.unref();
  }

  #settled(done: Done[keyof Done] | Unread): void {
    const ended = this.#running;
    this.#running = null;
    ended?.settle(done);
    this.#next();
  }

  /** Fails the running job and terminates its thread. */
  #failed(unread: Unread['unread']): void {
    this.#thread?.terminate();
    this.#thread = null;
    this.#settled({ unread });
  }

  /** The failure of the running job when the thread dies: an earlier mail's background work may be the cause, but twice with
   * the same mail is no accident. */
  #blame(): Unread['unread'] {
    if (!this.#running) return 'busy';
    const mail = sha256Hex(this.#running.job.raw);
    if (this.#deadly.has(mail)) return 'deadly';
    const [oldest] = this.#deadly;
    if (this.#deadly.size >= DEADLY_MAX && oldest !== undefined) this.#deadly.delete(oldest);
    this.#deadly.add(mail);
    return 'busy';
  }

  #post(message: ToThread): void {
    this.#thread ??= this.#open();
    this.#thread.postMessage(message);
  }

  #open(): Thread {
    const thread = new Worker(new URL('./reading-worker.ts', import.meta.url).href, { type: 'module' }) as Thread;
    thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if (this.#thread !== thread) return;
      if (data.kind === 'done') this.#settled(data.done);
      else void this.#answer(thread, data);
    };
    const died = (): void => {
      if (this.#thread === thread) this.#failed(this.#blame());
    };
    thread.onerror = died;
    // A thread may also end without an error event.
    thread.addEventListener('close', died);
    // The thread must not keep a stopped process alive.
    thread.unref();
    return thread;
  }

  async #answer(thread: Thread, { question, ask, name }: Extract<FromThread, { kind: 'ask' }>): Promise<void> {
    const answer = await this.#asked(ask, name).catch((): DnsAnswer => ({ failed: 'EUNKNOWN' }));
    if (this.#thread === thread) this.#post({ kind: 'answer', question, answer });
  }

  #asked(ask: 'txt' | 'addresses' | 'mx', name: string): Promise<DnsAnswer> {
    switch (ask) {
      case 'txt':
        return this.#dns.txt(name);
      case 'addresses':
        return this.#dns.addresses(name);
      case 'mx':
        return this.#dns.mx(name);
      default:
        return assertNever(ask);
    }
  }

  /** Ends the thread and fails all waiting jobs. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#thread?.terminate();
    this.#thread = null;
    const left = [this.#running, ...this.#queue.splice(0)];
    this.#running = null;
    for (const waiting of left) waiting?.settle({ unread: 'busy' });
  }
}
