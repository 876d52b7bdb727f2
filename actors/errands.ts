// Looks outside that nobody waits for: a domain's record, a site's page. They run beside the supervisor's reminders, a
// few at once, so that a DNS or a site that takes its time holds up no deadline. What is lost in a crash is asked for
// again by the reminder that each errand leaves behind before it sets out.

/** At once; each waits for somebody else's machine most of the time. */
const AT_ONCE = 16;

/** What is looked after; `gone` aborts when the service stops. */
export type Errand = (gone: AbortSignal) => Promise<void>;

/** Told of an errand that threw, by the part of its key before the colon. */
type Failed = (kind: string, error: unknown) => void;

export class Errands {
  readonly #failed: Failed;
  /** Those that are not over, by their keys; the latest of each. */
  readonly #known = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #free = AT_ONCE;
  readonly #gone = new AbortController();

  constructor(failed: Failed) {
    this.#failed = failed;
  }

  /** Runs `work` once there is room, after an earlier errand of the same key. */
  run(key: string, work: Errand): void {
    const before = this.#known.get(key) ?? Promise.resolve();
    const errand = before.then(() => this.#one(key, work));
    this.#known.set(key, errand);
    void errand.then(() => {
      if (this.#known.get(key) === errand) this.#known.delete(key);
    });
  }

  /** Resolves when no errand of this key is left, or after `wait_ms` by the wall clock. */
  async over(key: string, wait_ms: number): Promise<void> {
    const errand = this.#known.get(key);
    if (!errand) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, wait_ms);
    });
    await Promise.race([errand, late]);
    clearTimeout(timer);
  }

  /** Resolves when none is left. */
  async idle(): Promise<void> {
    while (this.#known.size > 0) await Promise.all(this.#known.values());
  }

  /** Begins none any more, calls back those that run and waits for them. */
  async stop(): Promise<void> {
    this.#gone.abort();
    await this.idle();
  }

  async #one(key: string, work: Errand): Promise<void> {
    if (this.#free === 0) await new Promise<void>((room) => this.#waiting.push(room));
    else this.#free -= 1;
    try {
      if (!this.#gone.signal.aborted) await work(this.#gone.signal);
    } catch (error) {
      this.#failed(key.split(':', 1)[0] ?? key, error);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
