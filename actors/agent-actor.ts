// The actor of one agent: its mailbox, its presence, and those who listen to its inbox right now. It knows no operation
// and no transport, and holds nothing that could not be read again from the store.
import { Mailbox } from './mailbox.ts';

/** One that listens to an inbox; `push` gets each event's seq and its encoded form, made once for all listeners. */
export interface Subscriber {
  push(seq: number, encoded: string): void;
  /** Something was committed on another node: the store has it. */
  wake(): void;
}

/** How many response times the median is taken over (decisions.md 4). */
const SAMPLES_MAX = 20;

export class AgentActor {
  readonly id: string;
  readonly mailbox = new Mailbox();
  readonly #subscribers = new Set<Subscriber>();
  readonly #watchers = new Set<() => void>();
  last_seen_at: number | null = null;
  /** Seconds that recent answers took, newest last. */
  readonly samples: number[] = [];
  /** Whether presence holds something that is not yet written down. */
  dirty = false;
  loaded = false;

  constructor(id: string) {
    this.id = id;
  }

  get streaming(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Whether anybody is to be told of what is committed to the inbox. */
  get listened(): boolean {
    return this.streaming || this.#watchers.size > 0;
  }

  /** Whether nothing would be lost if the actor were let go. */
  get idle(): boolean {
    return this.mailbox.idle && !this.listened && !this.dirty;
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Calls `woken` after each commit to the inbox. Whoever watches is not the agent: it does not make it present. */
  watch(woken: () => void): () => void {
    this.#watchers.add(woken);
    return () => this.#watchers.delete(woken);
  }

  /** Tells of a committed event; it is encoded only if somebody takes it in that form. */
  publish(seq: number, encode: () => string): void {
    for (const woken of this.#watchers) woken();
    if (this.#subscribers.size === 0) return;
    const encoded = encode();
    for (const subscriber of this.#subscribers) subscriber.push(seq, encoded);
  }

  wake(): void {
    for (const woken of this.#watchers) woken();
    for (const subscriber of this.#subscribers) subscriber.wake();
  }

  /** The agent did something under its own name. */
  seen(now_ms: number): void {
    if (this.last_seen_at !== null && now_ms <= this.last_seen_at) return;
    this.last_seen_at = now_ms;
    this.dirty = true;
  }

  /** The agent answered something that had waited for so many seconds. */
  answered(seconds: number): void {
    this.samples.push(seconds);
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
    this.dirty = true;
  }
}
