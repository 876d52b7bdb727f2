// The routes of agents, cached: a push must not read three rows to learn that nothing has changed.
import { type CommitCache, commitCache } from '../../db/commit-cache.ts';
import { agentById } from '../../db/queries/agent.ts';
import { pushSubscriptionsOfAccount } from '../../db/queries/notification.ts';
import { webhooksOfAgent } from '../../db/queries/webhook.ts';
import type { Told } from '../../db/schema/told.ts';
import type { Store } from '../../db/store.ts';
import { type Route, routeOf } from './route.ts';

/** One is some 2 KB. */
const ROUTES_MAX = 20_000;

function rowsOf(route: Route | null, agent_id: string): Told[] {
  const hooks = route?.hook_ids.map((id) => ({ table: 'webhooks', id }) as const) ?? [];
  const browsers = route?.browser_ids.map((id) => ({ table: 'push_subscriptions', id }) as const) ?? [];
  return [{ table: 'agents', id: agent_id }, ...hooks, ...browsers];
}

export class Routes {
  readonly #routes: CommitCache<Route | null>;

  constructor(store: Store, seal_key: Uint8Array, now: () => number) {
    this.#routes = commitCache({
      store,
      now,
      tables: ['agents', 'webhooks', 'push_subscriptions'],
      max: ROUTES_MAX,
      rows: rowsOf,
      // Only the row of a new webhook or browser names its owner.
      lists: ['webhooks', 'push_subscriptions'],
      load: async (agent_id) => {
        const [agent, webhooks] = await Promise.all([
          store.read(agentById, { id: agent_id }),
          store.read(webhooksOfAgent, { agent_id }),
        ]);
        if (!agent) return null;
        const browsers = await store.read(pushSubscriptionsOfAccount, { account_id: agent.account_id });
        return routeOf(agent, webhooks, browsers, seal_key);
      },
    });
  }

  /** The route of an agent; null when nothing is pushed to it. */
  async of(agent_id: string): Promise<Route | null> {
    return this.#routes.get(agent_id);
  }

  /** Whether an agent has an active webhook whose last delivery did not fail. */
  async hasWorkingHook(agent_id: string): Promise<boolean> {
    const route = await this.of(agent_id);
    return route?.hooks.some(({ state }) => state.failure_count === 0) ?? false;
  }

  /** Whether it is known, without a look, that nothing is called for the agent. */
  isKnownEmpty(agent_id: string): boolean {
    const route = this.#routes.known(agent_id);
    return route === null || (route?.hosts.length === 0 && route.browser_ids.length === 0);
  }
}
