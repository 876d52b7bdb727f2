// The actor of one agent: its mailbox, its presence, and those who listen to its inbox right now. It knows no operation
// and no transport, and holds nothing that could not be read again from the store. What is written of presence, and when,
// presence-store.ts says.
import { Mailbox } from './mailbox.ts';

/** One that listens to an inbox; `push` gets each event's seq and its encoded form, made once for all listeners. */
export interface Subscriber {
  push(seq: number, encoded: string): void;
  /** Something was committed on another node: the store has it. */
  wake(): void;
}

/** Answer times that are kept until they are written down. */
const FRESH_MAX = 20;

export class AgentActor {
  readonly id: string;
  readonly mailbox = new Mailbox();
  readonly #subscribers = new Set<Subscriber>();
  readonly #watchers = new Set<() => void>();
  /** Called when the first stream opens and when the last one ends. */
  readonly #connected: (actor: AgentActor) => void;
  last_seen_at: number | null = null;
  /** Seconds that answers took, oldest first, as the row had them. */
  samples: readonly number[] = [];
  /** Such seconds that no row has yet. */
  readonly fresh: number[] = [];
  /** Whether presence holds something that is not yet written down. */
  dirty = false;
  /** When the row was last read; null before the first time. */
  known_at: number | null = null;
  /** Until when this node has promised the others to hold a stream of the agent; 0 for no promise. */
  promised_until = 0;
  /** Until when another node promises that; 0 for none. */
  elsewhere_until = 0;

  constructor(id: string, connected: (actor: AgentActor) => void) {
    this.id = id;
    this.#connected = connected;
  }

  /** Whether a stream of the agent is open in this process. */
  get streaming(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Whether anybody is to be told of what is committed to the inbox. */
  get listened(): boolean {
    return this.streaming || this.#watchers.size > 0;
  }

  /** Whether nothing would be lost if the actor were let go. */
  get idle(): boolean {
    return this.mailbox.idle && !this.listened && !this.dirty && this.promised_until === 0;
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    if (this.#subscribers.size === 1) this.#connected(this);
    return () => {
      if (this.#subscribers.delete(subscriber) && !this.streaming) this.#connected(this);
    };
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
  markSeen(now_ms: number): void {
    if (this.last_seen_at !== null && now_ms <= this.last_seen_at) return;
    this.last_seen_at = now_ms;
    this.dirty = true;
  }

  /** The agent answered something that had waited for so many seconds. */
  addAnswerTime(seconds: number): void {
    this.fresh.push(seconds);
    if (this.fresh.length > FRESH_MAX) this.fresh.shift();
    this.dirty = true;
  }
}
