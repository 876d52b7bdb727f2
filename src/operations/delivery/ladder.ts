// The delivery ladder: webhooks, then the agent's A2A endpoint (interface.md, Delivery ladder). It is what the courier
// climbs; how far an agent has come is the courier's to know.
import type { Ladder, Pushed } from '../../../actors/courier.ts';
import type { InboxEvent } from '../../../db/store.ts';
import type { World } from '../world.ts';
import { a2aRung } from './a2a-rung.ts';
import { isPushed, type Route } from './route.ts';
import type { Routes } from './routes.ts';
import { NOTHING, type Outcome, type Rung, type Tried } from './rung.ts';
import { settle } from './settle.ts';
import { webhookRung } from './webhook-rung.ts';

/** What calls out, in order; each takes one event at a time. */
const PUSHES: readonly Rung[] = [webhookRung, a2aRung];

async function push(world: World, route: Route, event: InboxEvent, signal: AbortSignal): Promise<Tried> {
  let climbed: Tried = NOTHING;
  for (const rung of PUSHES) {
    const { attempts, effects, accepted } = await rung(world, route, [event], signal);
    climbed = {
      attempts: [...climbed.attempts, ...attempts],
      effects: [...climbed.effects, ...effects],
      accepted,
    };
    if (accepted.length > 0) break;
  }
  return climbed;
}

/** The step that comes next: the event that is pushed, or all that pass without a push. */
async function step(
  world: World,
  route: Route,
  events: readonly InboxEvent[],
  signal: AbortSignal,
): Promise<Pushed<Outcome>> {
  const at = events.findIndex((event) => isPushed(route, event.kind));
  const [event] = at < 0 ? [] : events.slice(at);
  if (!event) return { through: events.at(-1)?.seq ?? 0, outcome: null };
  const outcome = await push(world, route, event, signal);
  // A failure may have been the tenth: the next event must find the webhook as that left it.
  return { through: event.seq, outcome, first: outcome.attempts.some(({ accepted }) => !accepted) };
}

/** The ladder of a world, for its courier. */
export function ladderOf(routes: Routes, world: () => World): Ladder<Outcome> {
  return {
    unreachable: (agent_id) => routes.isKnownEmpty(agent_id),
    hosts: async (agent_id) => {
      const route = await routes.of(agent_id);
      return route && route.hosts.length > 0 ? route.hosts : null;
    },
    push: async (agent_id, events, signal) => {
      const route = await routes.of(agent_id);
      if (!route) return { through: events.at(-1)?.seq ?? 0, outcome: null };
      return step(world(), route, events, signal);
    },
    settle: (outcomes, read) => settle(world(), outcomes, read),
  };
}
