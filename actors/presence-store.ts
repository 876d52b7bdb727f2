// Reads presence rows into actors, and writes what actors have gathered. When nodes share the database, a node that holds a
// stream of an agent announces it with a lease under its own name: until it expires, the others treat the agent as connected.
import { apply, insert } from '../db/effects.ts';
import { presenceOf } from '../db/queries/agent.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import type { AgentActor } from './agent-actor.ts';

/** How long a lease lasts; it is renewed in its last half. A dead node is believed for at most this long. */
const LEASE_MS = 90_000;
/** Presence by other nodes is read again when it is older than this. */
const KNOWN_MS = 5_000;
/** How many answer times a row keeps (rules.md 4). */
const SAMPLES_MAX = 20;
/** Rows in one turn: more would delay other commits. */
const SLICE = 250;

/** An agent's presence; `streaming` on this node or another. */
export interface PresenceFacts {
  readonly last_seen_at: number | null;
  readonly samples: readonly number[];
  readonly streaming: boolean;
}

export type PresenceRow = Pick<Row<'presence'>, 'last_seen_at' | 'samples' | 'streams'>;

type Streams = Readonly<Record<string, number>>;

const streamsHeld = (streams: Streams, now_ms: number): [string, number][] =>
  Object.entries(streams).filter(([, until]) => until > now_ms);

export class PresenceStore {
  readonly #store: Store;
  /** This node's name in the rows; null on a single node. */
  readonly #node: string | null;
  #writing = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
    this.#node = store.tally === null ? null : crypto.randomUUID();
  }

  /** Presence from memory, read from the store once per activation; repeatedly when other nodes write it. */
  async facts(actor: AgentActor, now_ms: number): Promise<PresenceFacts> {
    if (!this.#isStale(actor, now_ms)) return this.factsWith(actor, null, now_ms);
    return this.factsWith(actor, await this.#store.read(presenceOf, { id: actor.id }), now_ms);
  }

  #isStale({ known_at }: AgentActor, now_ms: number): boolean {
    return known_at === null || (this.#node !== null && now_ms - known_at > KNOWN_MS);
  }

  /** The same with the row that the caller has just read; null when there is none. */
  factsWith(actor: AgentActor, row: PresenceRow | null, now_ms: number): PresenceFacts {
    if (this.#isStale(actor, now_ms)) this.#take(actor, row, now_ms);
    const streaming = actor.streaming || actor.elsewhere_until > now_ms;
    return {
      // An open stream counts as seen now: weeks of listening are no silence.
      last_seen_at: streaming ? now_ms : actor.last_seen_at,
      samples: [...actor.samples, ...actor.fresh].slice(-SAMPLES_MAX),
      streaming,
    };
  }

  #take(actor: AgentActor, row: PresenceRow | null, now_ms: number): void {
    actor.known_at = now_ms;
    if (!row) return;
    // 0 means never: an answer may be written before its agent was seen.
    if (row.last_seen_at > 0) actor.last_seen_at = Math.max(actor.last_seen_at ?? 0, row.last_seen_at);
    actor.samples = row.samples;
    const others = streamsHeld(row.streams ?? {}, now_ms).filter(([node]) => node !== this.#node);
    actor.elsewhere_until = Math.max(0, ...others.map(([, until]) => until));
  }

  /** Whether the row's lease for this node's streams is out of date. */
  #isPromiseDue(actor: AgentActor, now_ms: number): boolean {
    if (this.#node === null) return false;
    if (!actor.streaming) return actor.promised_until !== 0;
    return actor.promised_until - now_ms < LEASE_MS / 2;
  }

  /** Writes what these actors hold; what fails stays with them for the next time. Writes run one after the other, or the
   * same answer times would be written twice. */
  write(actors: Iterable<AgentActor>, now_ms: number): Promise<void> {
    const written = this.#writing.then(() => this.#write(actors, now_ms));
    this.#writing = written.catch(() => {});
    return written;
  }

  async #write(actors: Iterable<AgentActor>, now_ms: number): Promise<void> {
    const due = [...actors].filter((actor) => actor.dirty || this.#isPromiseDue(actor, now_ms));
    for (let at = 0; at < due.length; at += SLICE) await this.#writeSlice(due.slice(at, at + SLICE), now_ms);
  }

  async #writeSlice(actors: readonly AgentActor[], now_ms: number): Promise<void> {
    const written = actors.map((actor) => {
      const fresh = actor.fresh.length;
      return { actor, fresh, until: actor.streaming ? now_ms + LEASE_MS : 0, ...this.#changeOf(actor, now_ms) };
    });
    for (const { actor } of written) actor.dirty = false;
    try {
      await this.#store.turn({
        attempt: async () => ({
          reply: null,
          effects: written.flatMap(({ row, change }) => [
            insert('presence', row, 'ignore'),
            apply('presence', row.id, change),
          ]),
        }),
      });
    } catch (error) {
      for (const { actor } of written) actor.dirty = true;
      throw error;
    }
    for (const { actor, fresh, until } of written) {
      actor.fresh.splice(0, fresh);
      // The row has them now, perhaps among those of other nodes.
      actor.known_at = null;
      if (this.#node !== null) actor.promised_until = until;
    }
  }

  /** Creates the row, or changes the existing one: other nodes write it too. */
  #changeOf(actor: AgentActor, now_ms: number) {
    const node = this.#node;
    const last_seen_at = actor.last_seen_at ?? 0;
    const added = [...actor.fresh];
    const own = node !== null && actor.streaming ? { [node]: now_ms + LEASE_MS } : {};
    const streamsOf = (before: Streams | null): Streams | null => {
      if (node === null) return before;
      const others = streamsHeld(before ?? {}, now_ms).filter(([name]) => name !== node);
      return { ...Object.fromEntries(others), ...own };
    };
    return {
      row: { id: actor.id, last_seen_at, samples: [], streams: null },
      change: (known: { last_seen_at: number; samples: readonly number[]; streams: Streams | null }) => ({
        last_seen_at: Math.max(known.last_seen_at, last_seen_at),
        samples: [...known.samples, ...added].slice(-SAMPLES_MAX),
        streams: streamsOf(known.streams),
      }),
    };
  }
}
