// The routes of agents, cached: a push must not read three rows to learn that nothing has changed. A commit that names an
// agent or a webhook drops what was known of it.
import { agentById } from '../../../db/queries/agent.ts';
import { webhooksOfAgent } from '../../../db/queries/webhook.ts';
import type { CommitNotice, Store } from '../../../db/store.ts';
import { type Route, routeOf } from './route.ts';

/** One is some 2 KB; the one that was read longest ago goes first. */
const ROUTES_MAX = 20_000;
/** A change on another node may go unseen for so long (architecture.md 3); where nobody else writes, none does. */
const BELIEVED_MS = 5_000;

interface Known {
  readonly route: Route | null;
  readonly read_at: number;
}

export class Routes {
  readonly #store: Store;
  readonly #seal_key: Uint8Array;
  readonly #now: () => number;
  readonly #believed_ms: number;
  readonly #known = new Map<string, Known>();
  readonly #agentOfHook = new Map<string, string>();
  /** Webhooks whose agents' routes are not known: their changes matter to nobody here. */
  readonly #elsewhere = new Set<string>();
  /** Moves with every change, so that what was read before one is not kept. */
  #changes = 0;

  constructor(store: Store, seal_key: Uint8Array, now: () => number) {
    this.#store = store;
    this.#seal_key = seal_key;
    this.#now = now;
    this.#believed_ms = store.shared ? BELIEVED_MS : Number.POSITIVE_INFINITY;
    store.onCommit((notice) => this.#follow(notice));
  }

  /** The route of an agent; null when nothing is pushed to it. */
  async of(agent_id: string): Promise<Route | null> {
    const known = this.#known.get(agent_id);
    if (known && this.#now() - known.read_at < this.#believed_ms) return known.route;
    const changes = this.#changes;
    const [agent, webhooks] = await Promise.all([
      this.#store.read(agentById, { id: agent_id }),
      this.#store.read(webhooksOfAgent, { agent_id }),
    ]);
    const route = agent && routeOf(agent, webhooks, this.#seal_key);
    if (changes === this.#changes) this.#keep(agent_id, route);
    return route;
  }

  /** Whether an agent has an active webhook whose last delivery did not fail. */
  async hasWorkingHook(agent_id: string): Promise<boolean> {
    const route = await this.of(agent_id);
    return route?.hooks.some(({ state }) => state.failure_count === 0) ?? false;
  }

  /** Whether it is known, without a look, that nothing is called for the agent. */
  isKnownEmpty(agent_id: string): boolean {
    const known = this.#known.get(agent_id);
    if (!known || this.#now() - known.read_at >= this.#believed_ms) return false;
    return known.route === null || known.route.hosts.length === 0;
  }

  #keep(agent_id: string, route: Route | null): void {
    this.#known.set(agent_id, { route, read_at: this.#now() });
    for (const id of route?.hook_ids ?? []) {
      this.#agentOfHook.set(id, agent_id);
      this.#elsewhere.delete(id);
    }
    const [oldest] = this.#known.keys();
    if (this.#known.size > ROUTES_MAX && oldest !== undefined) this.#drop(oldest);
  }

  #drop(agent_id: string): void {
    for (const id of this.#known.get(agent_id)?.route?.hook_ids ?? []) {
      this.#agentOfHook.delete(id);
      this.#notKnown(id);
    }
    this.#known.delete(agent_id);
  }

  #follow({ changed }: CommitNotice): void {
    for (const { table, id } of changed) {
      if (table === 'agents') this.#drop(id);
      else if (table === 'webhooks') {
        const agent_id = this.#agentOfHook.get(id);
        if (agent_id !== undefined) this.#drop(agent_id);
        else if (!this.#elsewhere.has(id)) this.#forgetAll(id);
      } else continue;
      this.#changes += 1;
    }
  }

  /** A webhook never heard of, so perhaps a new one of anybody's here: whose it is only its row tells. */
  #forgetAll(id: string): void {
    this.#known.clear();
    this.#agentOfHook.clear();
    this.#elsewhere.clear();
    this.#notKnown(id);
  }

  #notKnown(id: string): void {
    if (this.#elsewhere.size >= ROUTES_MAX) this.#elsewhere.clear();
    this.#elsewhere.add(id);
  }
}
