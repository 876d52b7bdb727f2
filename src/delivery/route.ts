// The current ways to one agent: its active webhooks with decrypted secrets, its A2A endpoint, its muted kinds.
import type { Row } from '../../db/schema/tables.ts';
import { type HookState, subscribes } from '../domain/inbox/webhook.ts';
import { open } from '../outbound/seal.ts';
import { secretContext } from '../steps/webhook.ts';

export interface Hook {
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly kind: 'agent' | 'developer';
  readonly events: readonly string[];
  readonly retry: boolean;
  /** As its row said when it was read. */
  readonly state: HookState;
  readonly secret: string;
  /** Signs too, until `old_secret_until` (epoch milliseconds). */
  readonly old_secret: string | null;
  readonly old_secret_until: number;
}

export interface Route {
  /** As it was when the route was read. */
  readonly agent: Row<'agents'>;
  readonly mute: ReadonlySet<string>;
  readonly hooks: readonly Hook[];
  /** Of all its webhooks, also of those that are not called. */
  readonly hook_ids: readonly string[];
  /** Browsers that its person is pushed to. */
  readonly browser_ids: readonly string[];
  /** Where a push would call, each once. */
  readonly hosts: readonly string[];
}

/** The webhook as deliveries need it; null when its secret cannot be opened, as after the seal key was lost. */
export function hookOf(row: Row<'webhooks'>, seal_key: Uint8Array): Hook | null {
  const secret = open(seal_key, row.secret, secretContext(row.id));
  const host = URL.parse(row.url)?.host;
  if (secret === null || host === undefined) return null;
  const old_secret = row.old_secret === null ? null : open(seal_key, row.old_secret, secretContext(row.id));
  const { id, url, kind, events, old_secret_until } = row;
  return {
    id,
    url,
    host,
    kind,
    events,
    retry: row.retry === 1,
    state: { active: row.active === 1, failure_count: row.failure_count },
    secret,
    old_secret,
    old_secret_until: old_secret_until ?? 0,
  };
}

/** An agent's route, or null when nothing is pushed to it: it is gone. */
export function routeOf(
  agent: Row<'agents'>,
  webhooks: readonly Row<'webhooks'>[],
  browsers: readonly Pick<Row<'push_subscriptions'>, 'id'>[],
  seal_key: Uint8Array,
): Route | null {
  if (agent.deactivated_at !== null) return null;
  const hooks = webhooks
    .filter(({ active }) => active === 1)
    .map((row) => hookOf(row, seal_key))
    .filter((hook) => hook !== null);
  const a2a = agent.a2a_url === null ? undefined : URL.parse(agent.a2a_card?.url ?? agent.a2a_url)?.host;
  const hosts = new Set(hooks.map(({ host }) => host));
  if (a2a !== undefined) hosts.add(a2a);
  const hook_ids = webhooks.map(({ id }) => id);
  return {
    agent,
    mute: new Set(agent.wake.mute ?? []),
    hooks,
    hook_ids,
    browser_ids: browsers.map(({ id }) => id),
    hosts: [...hosts],
  };
}

/** Whether this event would be pushed; muted kinds are not (Q131). */
export function isPushed({ agent, mute, hooks }: Route, event: string): boolean {
  if (mute.has(event)) return false;
  return agent.a2a_url !== null || hooks.some((hook) => subscribes(hook.kind, hook.events, event));
}
