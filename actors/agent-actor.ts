// The actor of one agent: its mailbox, its presence, and the open listeners of its inbox. It knows no operation and no
// transport, and holds only state that can be read again from the store. presence-store.ts decides when presence is written.
import { Mailbox } from './mailbox.ts';

/** A listener of an inbox; `push` gets each event's seq and its encoding, made once for all listeners. */
export interface Subscriber {
  push(seq: number, encoded: string): void;
  /** Another node committed an event; it is in the store. */
  wake(): void;
}

/** Answer times kept in memory until they are written. */
const FRESH_MAX = 20;

export class AgentActor {
  readonly id: string;
  readonly mailbox = new Mailbox();
  readonly #subscribers = new Set<Subscriber>();
  readonly #watchers = new Set<() => void>();
  /** Called when the first stream opens and when the last one ends. */
  readonly #connected: (actor: AgentActor) => void;
  last_seen_at: number | null = null;
  /** Answer times in seconds, oldest first, as the row had them. */
  samples: readonly number[] = [];
  /** Answer times that are not written yet. */
  readonly fresh: number[] = [];
  /** Whether presence has unwritten changes. */
  dirty = false;
  /** When the row was last read; null before the first time. */
  known_at: number | null = null;
  /** Until when this node has announced to the others that it holds a stream of the agent; 0 for none. */
  promised_until = 0;
  /** Until when another node announces one; 0 for none. */
  elsewhere_until = 0;

  constructor(id: string, connected: (actor: AgentActor) => void) {
    this.id = id;
    this.#connected = connected;
  }

  /** Whether a stream of the agent is open in this process. */
  get streaming(): boolean {
    return this.#subscribers.size > 0;
  }

  /** Whether the inbox has a listener in this process. */
  get listened(): boolean {
    return this.streaming || this.#watchers.size > 0;
  }

  /** Whether the actor can be dropped without loss. */
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

  /** Calls `woken` after each commit to the inbox. A watcher is not the agent and does not make it present. */
  watch(woken: () => void): () => void {
    this.#watchers.add(woken);
    return () => this.#watchers.delete(woken);
  }

  /** Passes a committed event on; it is encoded only if there is a subscriber. */
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

  /** Records that the agent answered after so many seconds. */
  addAnswerTime(seconds: number): void {
    this.fresh.push(seconds);
    if (this.fresh.length > FRESH_MAX) this.fresh.shift();
    this.dirty = true;
  }
}
