// A channel of the delivery ladder (interface.md, Delivery ladder): one way to an agent, tried when those above it did not accept the
// event. ladder.ts has their order.
import type { Effect } from '../../db/effects.ts';
import type { InboxEvent } from '../../db/store.ts';
import type { Attempt } from '../domain/inbox/webhook.ts';
import type { DeliveryPorts } from './ports.ts';
import type { Route } from './route.ts';

/** The result of a channel: the attempts at webhooks, and further effects. */
export interface Delivered {
  readonly attempts: readonly Attempt[];
  readonly effects: readonly Effect<never>[];
}

/** The result, with the ids of the accepted events, for which lower channels are not tried. */
export interface Tried extends Delivered {
  readonly accepted: readonly string[];
}

/** Tries to carry events to an agent, in their order. Receivers that fail are results; only a bug throws. `signal` cuts
 * off what calls out. */
export type Channel = (
  ports: DeliveryPorts,
  route: Route,
  events: readonly InboxEvent[],
  signal: AbortSignal,
) => Promise<Tried>;

export const NOTHING: Tried = { attempts: [], effects: [], accepted: [] };
