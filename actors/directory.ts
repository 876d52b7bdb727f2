// The directory of actors: one per agent, created on demand and dropped when idle. It also passes committed events to the actors'
// listeners and writes presence now and then.
import type { CommitNotice, InboxEvent, Store } from '../db/store.ts';
import { AccountWatch } from './account-watch.ts';
import { AgentActor } from './agent-actor.ts';
import type { Clock } from './clock.ts';
import { type PresenceFacts, type PresenceRow, PresenceStore } from './presence-store.ts';
import { RowWatch } from './row-watch.ts';

/** Idle actors kept in memory; above this the longest idle go. An idle actor costs some 400 bytes. */
const ACTORS_MAX = 100_000;
/** How often lossy facts (last seen, response times) are written down. */
export const FLUSH_MS = 30_000;

/** How soon other nodes are told that an agent has connected or disconnected; the changes of a second share a turn. */
const TOLD_MS = 1_000;

export class Directory {
  readonly #actors = new Map<string, AgentActor>();
  readonly #presence: PresenceStore;
  readonly #clock: Clock;
  /** Whether other nodes have to be told which agents are connected. */
  readonly #shared: boolean;
  /** Actors whose change they have not been told yet. */
  readonly #connections = new Set<AgentActor>();
  #telling: ReturnType<typeof setTimeout> | null = null;
  readonly #encode: (event: InboxEvent) => string;
  /** Of agents into accounts. */
  readonly account_watch: AccountWatch;
  /** Of rows that are followed by themselves. */
  readonly row_watch: RowWatch;

  constructor(store: Store, clock: Clock, encode: (event: InboxEvent) => string) {
    this.#presence = new PresenceStore(store);
    this.#shared = store.tally !== null;
    this.#clock = clock;
    this.#encode = encode;
    this.account_watch = new AccountWatch(store);
    this.row_watch = new RowWatch(store);
    store.onCommit((notice) => this.#publish(notice));
  }

  /** The agent's actor, activated if need be. */
  actor(agent_id: string): AgentActor {
    const known = this.#actors.get(agent_id);
    if (known) return known;
    const made = new AgentActor(agent_id, this.#connected);
    this.#actors.set(agent_id, made);
    if (this.#actors.size > ACTORS_MAX) this.passivate();
    return made;
  }

  #publish(notice: CommitNotice): void {
    const failures: unknown[] = [];
    for (const event of notice.events) {
      const actor = this.#actors.get(event.agent_id);
      if (!actor?.listened) continue;
      try {
        actor.publish(event.seq, () => this.#encode(event));
      } catch (error) {
        // A listener that failed reads the event from the store; the others still get theirs.
        actor.wake();
        failures.push(error);
      }
    }
    const woken = notice.woken === '*' ? this.#actors.values() : notice.woken.map((id) => this.#actors.get(id));
    for (const actor of woken) if (actor?.listened) actor.wake();
    for (const { agent_id, seconds } of notice.replies) this.actor(agent_id).addAnswerTime(seconds);
    if (failures.length > 0) throw failures[0];
  }

  /** Notes that an agent is there; a request under its name is enough. */
  markSeen(agent_id: string): void {
    this.actor(agent_id).markSeen(this.#clock.now());
  }

  readonly #connected = (actor: AgentActor): void => {
    if (!this.#shared) return;
    this.#connections.add(actor);
    this.#telling ??= setTimeout(() => {
      this.#telling = null;
      const told = [...this.#connections];
      this.#connections.clear();
      // Where it fails, the next flush makes it good.
      this.#presence.write(told, this.#clock.now()).catch(() => {});
    }, TOLD_MS).unref();
  };

  /** An agent's presence, on this node and the others. */
  presence(agent_id: string): Promise<PresenceFacts> {
    return this.#presence.facts(this.actor(agent_id), this.#clock.now());
  }

  /** The same with the presence row that the caller has just read, or null. */
  presenceWith(agent_id: string, row: PresenceRow | null): PresenceFacts {
    return this.#presence.factsWith(this.actor(agent_id), row, this.#clock.now());
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
    if (this.#telling) clearTimeout(this.#telling);
    this.#telling = null;
    this.#connections.clear();
    await this.#presence.write(this.#actors.values(), this.#clock.now());
  }

  /** How many actors are in memory, and how many of them stream. */
  counts(): { actors: number; streaming: number } {
    let streaming = 0;
    for (const actor of this.#actors.values()) if (actor.streaming) streaming += 1;
    return { actors: this.#actors.size, streaming };
  }
}
