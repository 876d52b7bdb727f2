// Where the actors live: one per agent, brought into memory when it is asked for and let go when idle. It also carries
// committed events to the actors' listeners and writes presence down now and then.
import { apply, insert } from '../db/effects.ts';
import { presenceOf } from '../db/queries/presence.ts';
import type { CommitNotice, InboxEvent, Store } from '../db/store.ts';
import { AgentActor } from './agent-actor.ts';
import type { Clock } from './clock.ts';

/** Idle actors kept in memory; above this the longest idle go. An idle actor costs some 400 bytes. */
const ACTORS_MAX = 100_000;
/** How often lossy facts (last seen, response times) are written down. */
export const FLUSH_MS = 30_000;

/** What is known of an agent's presence; `online` while a stream is open or a request came in the last minute. */
export interface PresenceFacts {
  readonly last_seen_at: number | null;
  readonly samples: readonly number[];
  readonly streaming: boolean;
}

export class Directory {
  readonly #actors = new Map<string, AgentActor>();
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #encode: (event: InboxEvent) => string;

  constructor(store: Store, clock: Clock, encode: (event: InboxEvent) => string) {
    this.#store = store;
    this.#clock = clock;
    this.#encode = encode;
    store.onCommit((notice) => this.#publish(notice));
  }

  /** The agent's actor, activated if need be. */
  actor(agent_id: string): AgentActor {
    const known = this.#actors.get(agent_id);
    if (known) return known;
    const made = new AgentActor(agent_id);
    this.#actors.set(agent_id, made);
    if (this.#actors.size > ACTORS_MAX) this.passivate();
    return made;
  }

  #publish(notice: CommitNotice): void {
    for (const event of notice.events) {
      const actor = this.#actors.get(event.agent_id);
      if (actor?.listened) actor.publish(event.seq, () => this.#encode(event));
    }
    const woken = notice.woken === '*' ? this.#actors.values() : notice.woken.map((id) => this.#actors.get(id));
    for (const actor of woken) if (actor?.listened) actor.wake();
    for (const { agent_id, seconds } of notice.replies) this.actor(agent_id).answered(seconds);
  }

  /** Notes that an agent is there; a request under its name is enough. */
  seen(agent_id: string): void {
    this.actor(agent_id).seen(this.#clock.now());
  }

  /** Presence out of memory, read from the store once per activation. */
  async presence(agent_id: string): Promise<PresenceFacts> {
    const actor = this.actor(agent_id);
    if (!actor.loaded) {
      const row = await this.#store.read(presenceOf, { id: agent_id });
      if (row && !actor.loaded) {
        actor.last_seen_at = Math.max(actor.last_seen_at ?? 0, row.last_seen_at);
        actor.samples.unshift(...row.samples);
      }
      actor.loaded = true;
    }
    return { last_seen_at: actor.last_seen_at, samples: actor.samples, streaming: actor.streaming };
  }

  /** Lets go of actors that hold nothing. */
  passivate(): number {
    let gone = 0;
    for (const [id, actor] of this.#actors) {
      if (!actor.idle) continue;
      this.#actors.delete(id);
      gone += 1;
    }
    return gone;
  }

  /** Writes what presence has gathered; losing the last half minute of it is fine. */
  async flush(): Promise<void> {
    const dirty = [...this.#actors.values()].filter((actor) => actor.dirty);
    for (const actor of dirty) actor.dirty = false;
    for (const actor of dirty) {
      // A flush must not forget the samples of before this activation.
      await this.presence(actor.id);
    }
    if (dirty.length === 0) return;
    const rows = dirty.map((a) => ({
      id: a.id,
      last_seen_at: a.last_seen_at ?? 0,
      samples: [...a.samples].slice(-20),
    }));
    await this.#store.turn({
      attempt: async () => ({
        reply: null,
        effects: rows.flatMap((row) => [
          insert('presence', row, 'ignore'),
          // Another node may have seen it later.
          apply('presence', row.id, (known) => ({
            last_seen_at: Math.max(known.last_seen_at, row.last_seen_at),
            samples: row.samples,
          })),
        ]),
      }),
    });
  }

  /** How many actors are in memory, and how many of them stream. */
  counts(): { actors: number; streaming: number } {
    let streaming = 0;
    for (const actor of this.#actors.values()) if (actor.streaming) streaming += 1;
    return { actors: this.#actors.size, streaming };
  }
}
