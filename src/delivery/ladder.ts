// The delivery ladder: webhooks, then the agent's A2A endpoint, then a letter to its human (interface.md, Delivery ladder). Event delivery calls
// it and keeps each agent's cursor. The agent's person also gets push messages, whichever channel accepted the event.
import type { Ladder, Pushed } from '../../actors/event-delivery.ts';
import { apply, type Effect } from '../../db/effects.ts';
import type { EndpointColumn } from '../../db/schema/agent.ts';
import type { InboxEvent } from '../../db/store.ts';
import type { EventKind } from '../domain/inbox/event.ts';
import { heldUntil, isUrgent, mailTime } from '../domain/inbox/notification-settings.ts';
import { isWeakMatch } from '../domain/inbox/wake.ts';
import { subscribes } from '../domain/inbox/webhook.ts';
import { letterTime } from '../domain/mail/letter-plan.ts';
import type { Outgoing, RemoteAgent } from '../domain/task/remote.ts';
import { ALL_WAIT, shownEvent } from '../schemas/event.ts';
import { keepCard } from '../steps/agent/silence.ts';
import { askForPush } from '../steps/browser.ts';
import { letterId, remindLetter } from '../steps/mail/letter.ts';
import { letterFacts } from '../steps/mail/target.ts';
import { lookAtEndpoint } from '../steps/outside.ts';
import { attempt } from './attempt.ts';
import { type Channel, type Delivered, NOTHING, type Tried } from './channel.ts';
import { type Forwarded, forward, messageOf, say, wayOf } from './forward.ts';
import { PendingLetters } from './pending-letters.ts';
import type { DeliveryPorts } from './ports.ts';
import { isPushed, type Route } from './route.ts';
import type { Routes } from './routes.ts';
import { settle } from './settle.ts';

// The second channel: the agent's own A2A endpoint, in the dialect of its card. A message goes there as its sender made it
// (forward.ts); every other event as a message of the service's own, whose id is the event's, so that a repeat is
// recognised. A failing endpoint is not listed among the agent's transports.

/** An event as a message of the service. */
function newsOf(event: InboxEvent, { addresses, restored }: DeliveryPorts): Outgoing {
  const { read: _read, ...shown } = shownEvent(event, false, addresses, ALL_WAIT);
  const data = { ...shown, epoch: restored.epoch };
  const asks = data.actions.length > 0 ? ' It asks for an answer: see the actions in the data part.' : '';
  const text = `${event.kind} for @${event.handle}, event ${event.seq} of its inbox.${asks}`;
  return {
    message_id: event.id,
    parts: [
      { kind: 'text', text },
      { kind: 'data', data },
    ],
    author: null,
    remote_task_id: null,
    remote_context_id: null,
    own_task_id: event.id,
    own_context_id: event.agent_id,
  };
}

function markWorking({ agent }: Route, works: boolean, now_ms: number): Effect<never>[] {
  if (works === (agent.a2a_failing_since === null)) return [];
  const { a2a_url } = agent;
  // An address that was set meanwhile does not inherit the failure of the old one.
  return [
    apply('agents', agent.id, (row) =>
      row.a2a_url === a2a_url ? { a2a_failing_since: works ? null : (row.a2a_failing_since ?? now_ms) } : {},
    ),
  ];
}

/** How the endpoint is called: as its card says, else as protocol 0.3 at the registered address. */
function remoteOf(registered: string, card: EndpointColumn | null): RemoteAgent {
  const { url = registered, dialect = null, binding = 'JSONRPC', tenant = null } = card ?? {};
  return { url, dialect: dialect ?? '0.3', binding, tenant };
}

async function carry(
  ports: DeliveryPorts,
  to: RemoteAgent,
  event: InboxEvent,
  signal: AbortSignal,
): Promise<Forwarded> {
  const message = messageOf(event);
  if (message) return forward(ports, to, event, message, signal);
  const answer = await say(ports, to, newsOf(event, ports), wayOf(ports, event, signal));
  return { taken: answer.is !== 'refused' && answer.is !== 'unreadable', effects: [] };
}

const a2aChannel: Channel = async (ports, route, events, signal) => {
  const [event] = events;
  const { id, a2a_url: url, a2a_card: known } = route.agent;
  if (!event || url === null || route.mute.has(event.kind)) return NOTHING;
  // A new address: read its card first, so that the first event is not sent in the wrong dialect.
  const card = known ?? (await lookAtEndpoint(ports.http, url, ports.clock.now(), signal));
  const look = known || !card ? [] : [keepCard(id, url, card)];
  const { taken, effects } = await carry(ports, remoteOf(url, card), event, signal);
  const marks = markWorking(route, taken, ports.clock.now());
  return { attempts: [], effects: [...look, ...effects, ...marks], accepted: taken ? [event.id] : [] };
};

// The last channel: a letter to the agent's human about what no other channel accepted. The channel only requests the letter; it is
// made when it is due (mail/notify.ts), with all events until then.

/** Only kinds of the catalogue are ever written. */
const kindOf = ({ kind }: InboxEvent): EventKind => kind as EventKind;

/** The events that would be mailed to a person who wants every letter. */
function unheardOf(streaming: boolean, { agent, mute }: Route, events: readonly InboxEvent[]): InboxEvent[] {
  const isHeard = ({ kind, data }: InboxEvent): boolean =>
    streaming || mute.has(kind) || isWeakMatch(agent.wake, kind, data);
  return events.filter((event) => isUrgent(kindOf(event)) || !isHeard(event));
}

/**
 * Requests the letters about events, in the order of their seq, that no channel above accepted; returns the effects. When other
 * events of the inbox were accepted (`alone`), each gets its own request, else one covers all from the first on.
 */
async function askForLetter(
  ports: DeliveryPorts,
  pending: PendingLetters,
  route: Route,
  events: readonly InboxEvent[],
  alone: boolean,
): Promise<Effect<never>[]> {
  const { id: agent_id } = route.agent;
  // Streams of this process are known without a read.
  if (unheardOf(ports.isStreaming(agent_id), route, events).length === 0) return [];
  const facts = await letterFacts(ports.read, ports, agent_id);
  if (!facts?.to) return [];
  const { settings, mark, asked } = facts;
  const now_ms = ports.clock.now();
  const told = unheardOf(facts.streaming, route, events);
  // Each gets its own request, for the same time of the day: a letter that is due earlier covers none of them.
  const held = told.flatMap(({ seq, data }) => {
    const at = heldUntil(data);
    return at === null ? [] : [remindLetter(agent_id, { from: seq, through: seq }, at, now_ms)];
  });
  const wanted = told.filter(
    (event) => heldUntil(event.data) === null && mailTime(settings, kindOf(event), now_ms) !== null,
  );
  const [first] = wanted;
  if (!first) return held;
  const at = wanted.some((event) => isUrgent(kindOf(event))) ? now_ms : letterTime(mark?.at ?? 0, now_ms);
  if (alone) {
    return [...held, ...wanted.map(({ seq }) => remindLetter(agent_id, { from: seq, through: seq }, at, now_ms))];
  }
  const standing = asked.find(({ id }) => id === letterId(agent_id, null));
  // A request of a moment ago may not be committed yet; `pending` has it.
  const from = Math.min(first.seq, standing?.from ?? first.seq, pending.of(agent_id)?.from ?? first.seq);
  const due = Math.min(at, standing?.due ?? at);
  pending.note(agent_id, { from, at: due });
  return [...held, remindLetter(agent_id, { from, through: null }, due, now_ms)];
}

// The first channel: every webhook that is subscribed to the event, all at once. Any 2xx stops the ladder (Q139).

const webhookChannel: Channel = async (ports, { mute, hooks }, events, signal) => {
  const [event] = events;
  if (!event || mute.has(event.kind)) return NOTHING;
  const wanted = hooks.filter((hook) => subscribes(hook.kind, hook.events, event.kind));
  const attempts = await Promise.all(wanted.map((hook) => attempt(ports, hook, event, 1, signal)));
  return { attempts, effects: [], accepted: attempts.some(({ accepted }) => accepted) ? [event.id] : [] };
};

/** The channels that make calls, in order; each takes one event at a time. */
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

/** The next step: the event that is pushed, or all before it that need no push. What no push accepted goes into a
 * letter. */
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
  // A failure may have been the tenth: it must be committed before the next event reads the webhook.
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
      !(event && (isUrgent(kindOf(event)) || heldUntil(event.data) !== null)) &&
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
