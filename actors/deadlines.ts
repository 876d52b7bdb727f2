// Deadlines in service time, in one ordered list with one timer for the first: thousands of open streams cost nothing while
// none is due.
import type { Clock } from './clock.ts';

/** The longest sleep between checks: the wall clock may be set, and timers are limited to 24 days. */
const LOOK_MS_MAX = 60_000;

interface Deadline<T> {
  readonly item: T;
  readonly at: number;
  /** Tells entries of one instant apart. */
  readonly n: number;
}

export class Deadlines<T> {
  readonly #clock: Clock;
  readonly #due: (item: T) => void;
  readonly #deadlines = new Map<T, Deadline<T>>();
  /** By instant, the first one first. */
  readonly #order: Deadline<T>[] = [];
  #made = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `due` is called once with each item whose instant has come. */
  constructor(clock: Clock, due: (item: T) => void) {
    this.#clock = clock;
    this.#due = due;
    clock.onMove(() => this.#look());
  }

  get size(): number {
    return this.#deadlines.size;
  }

  /** Sets or moves an item's deadline; an infinite one is not kept. */
  set(item: T, at: number): void {
    this.delete(item);
    if (at === Number.POSITIVE_INFINITY) return;
    const entry: Deadline<T> = { item, at, n: ++this.#made };
    this.#deadlines.set(item, entry);
    const place = this.#indexOf(entry);
    this.#order.splice(place, 0, entry);
    if (place === 0) this.#sleep();
  }

  delete(item: T): void {
    const entry = this.#deadlines.get(item);
    if (!entry) return;
    this.#deadlines.delete(item);
    this.#order.splice(this.#indexOf(entry), 1);
    if (this.#order.length === 0) this.#sleep();
  }

  /** The index of an entry, or where it would be inserted. */
  #indexOf({ at, n }: Deadline<T>): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#order[middle];
      if (other && (other.at < at || (other.at === at && other.n < n))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #look(): void {
    try {
      for (let [first] = this.#order; first && first.at <= this.#clock.now(); [first] = this.#order) {
        this.delete(first.item);
        this.#due(first.item);
      }
    } finally {
      // An item that throws does not delay the others.
      this.#sleep();
    }
  }

  #sleep(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const [first] = this.#order;
    if (!first) return;
    const wait_ms = Math.min(Math.max(first.at - this.#clock.now(), 0), LOOK_MS_MAX);
    this.#timer = setTimeout(() => this.#look(), wait_ms);
    this.#timer.unref();
  }
}
