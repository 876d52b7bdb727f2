// What a channel of the delivery ladder is (interface.md, Delivery ladder): one way to an agent, tried when those above it
// did not take the event. Each channel has a file of its own; ladder.ts holds their order.
import type { Effect } from '../../db/effects.ts';
import type { InboxEvent } from '../../db/store.ts';
import type { Attempt } from '../domain/inbox/webhook.ts';
import type { DeliveryPorts } from './ports.ts';
import type { Route } from './route.ts';

/** What came of trying: the attempts at webhooks, and effects to commit beside them. */
export interface Delivered {
  readonly attempts: readonly Attempt[];
  readonly effects: readonly Effect<never>[];
}

/** What was delivered, and the ids of the events that the channel accepted: the channels below it are not tried for those. */
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
