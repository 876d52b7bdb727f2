// Reads what strangers send in a thread of its own, one after the other, so that no mail holds back an answer. A job has a
// deadline; the thread that misses it is ended, and the next job gets another. Its memory has no bound but the 10 MiB of a
// mail and the deadline: Bun 1.4.5 takes `resourceLimits` and does not keep to them.
import { assertNever } from '../../domain/assert.ts';
import type { Dns, DnsAnswer } from '../dns.ts';
import { sha256Hex } from '../hash.ts';
import type { Done, FromThread, Job, ToThread } from './job.ts';

/** Ten times what the largest ordinary mail takes on a slow machine; the DNS's eight seconds are within it. */
const DEADLINE_MS = 15_000;
/** Each may hold a mail of 10 MiB; the SMTP listener has 24 connections. */
const WAITING_MAX = 32;
/** The thread holds some 20 MB; after a minute without mail they are given back. */
const IDLE_MS = 60_000;

/** Mails that are remembered because the thread died over them; a sender tries again within hours, and few mails do this. */
const DEADLY_MAX = 100;

/** Nothing came of a job: it took too long; the thread died over its mail for the second time; or there were too many before
 * it or the thread broke, as need not be so again. */
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
  /** Hashes of the mails over which the thread died once. */
  readonly #deadly = new Set<string>();

  constructor(dns: Dns, deadline_ms = DEADLINE_MS) {
    this.#dns = dns;
    this.#deadline_ms = deadline_ms;
  }

  /** How many jobs were begun. */
  get jobs(): number {
    return this.#jobs;
  }

  /** Runs a job when those before it are done. Never rejects. */
  run<K extends keyof Done>(job: Extract<Job, { job: K }>): Promise<Done[K] | Unread> {
    if (this.#queue.length >= WAITING_MAX) return Promise.resolve({ unread: 'busy' });
    const { promise, resolve } = Promise.withResolvers<Done[keyof Done] | Unread>();
    this.#queue.push({ job, settle: resolve });
    this.#next();
    // The thread answers a job with what its kind promises.
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

  /** The job is given up, and its thread with it. */
  #failed(unread: Unread['unread']): void {
    this.#thread?.terminate();
    this.#thread = null;
    this.#settled({ unread });
  }

  /** What the death of the thread means for the job that it was at: another mail may have brought it about, as one that was
   * answered and went on in the background; that twice the same was being read is no accident. */
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
    // A thread may also end without a word.
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

  /** Ends the thread; whoever waits is told that nothing came of it. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#thread?.terminate();
    this.#thread = null;
    const left = [this.#running, ...this.#queue.splice(0)];
    this.#running = null;
    for (const waiting of left) waiting?.settle({ unread: 'busy' });
  }
}
