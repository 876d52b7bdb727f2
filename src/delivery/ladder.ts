// The delivery ladder: webhooks, then the agent's A2A endpoint, then a letter to its human (interface.md, Delivery ladder). It is what event delivery
// climbs; how far an agent has come is the event delivery's to know. Beside it the agent's person is pushed to, whatever took the event.
import type { Ladder, Pushed } from '../../actors/event-delivery.ts';
import type { InboxEvent } from '../../db/store.ts';
import type { EventKind } from '../domain/inbox/event.ts';
import { isUrgent } from '../domain/inbox/notification-settings.ts';
import { askForPush } from '../steps/browser.ts';
import { a2aChannel } from './a2a-channel.ts';
import { type Channel, type Delivered, NOTHING, type Tried } from './channel.ts';
import { askForLetter } from './mail-channel.ts';
import { PendingLetters } from './pending-letters.ts';
import type { DeliveryPorts } from './ports.ts';
import { isPushed, type Route } from './route.ts';
import type { Routes } from './routes.ts';
import { settle } from './settle.ts';
import { webhookChannel } from './webhook-channel.ts';

/** What calls out, in order; each takes one event at a time. */
const PUSHES: readonly Channel[] = [webhookChannel, a2aChannel];

async function push(ports: DeliveryPorts, route: Route, event: InboxEvent, signal: AbortSignal): Promise<Tried> {
  let climbed: Tried = NOTHING;
  for (const channel of PUSHES) {
    const { attempts, effects, accepted } = await channel(ports, route, [event], signal);
    climbed = {
      attempts: [...climbed.attempts, ...attempts],
      effects: [...climbed.effects, ...effects],
      accepted,
    };
    if (accepted.length > 0) break;
  }
  return climbed;
}

/** The step that comes next: the event that is pushed, or all before it that pass without a push. What no push accepted
 * is told by mail. */
async function step(
  ports: DeliveryPorts,
  pending: PendingLetters,
  route: Route,
  events: readonly InboxEvent[],
  signal: AbortSignal,
): Promise<Pushed<Delivered>> {
  const at = events.findIndex((event) => isPushed(route, event.kind));
  const passed = at < 0 ? events : events.slice(0, at);
  const [event] = passed.length > 0 ? [] : events;
  if (!event) {
    const letter = await askForLetter(ports, pending, route, passed, route.hosts.length > 0);
    const effects = [...letter, ...askForPush(route, passed, ports.clock.now())];
    return { through: passed.at(-1)?.seq ?? 0, result: effects.length > 0 ? { attempts: [], effects } : null };
  }
  const { attempts, effects, accepted } = await push(ports, route, event, signal);
  const letter = accepted.length > 0 ? [] : await askForLetter(ports, pending, route, [event], true);
  // A failure may have been the tenth: the next event must find the webhook as that left it.
  const first = attempts.some((attempt) => !attempt.accepted);
  return {
    through: event.seq,
    result: { attempts, effects: [...effects, ...letter, ...askForPush(route, [event], ports.clock.now())] },
    first,
  };
}

/** The ladder that event delivery climbs. */
export function ladderOf(routes: Routes, ports: DeliveryPorts): Ladder<Delivered> {
  const pending = new PendingLetters(() => ports.clock.now());
  return {
    unreachable: (agent_id, event) =>
      routes.isKnownEmpty(agent_id) &&
      !(event && isUrgent(event.kind as EventKind)) &&
      (pending.holds(agent_id) || ports.isStreaming(agent_id)),
    hosts: async (agent_id) => (await routes.of(agent_id))?.hosts ?? null,
    push: async (agent_id, events, signal) => {
      const route = await routes.of(agent_id);
      if (!route) return { through: events.at(-1)?.seq ?? 0, result: null };
      return step(ports, pending, route, events, signal);
    },
    settle,
  };
}
