// The second channel: the agent's own A2A endpoint, in the dialect of its card. A message goes there as its sender made it
// (forward.ts); every other event as a message of the service's own, whose id is the event's, so that a repetition is
// recognised. While the endpoint takes nothing it is not named among the agent's transports.
import { apply, type Effect } from '../../db/effects.ts';
import type { EndpointColumn } from '../../db/schema/agent.ts';
import type { InboxEvent } from '../../db/store.ts';
import type { StepForm } from '../domain/next-step.ts';
import type { Outgoing, RemoteAgent } from '../domain/task/remote.ts';
import { shownEvent } from '../schemas/event.ts';
import { keepCard, lookAtEndpoint } from '../steps/endpoint.ts';
import { type Channel, NOTHING } from './channel.ts';
import { type Forwarded, forward, messageOf, say, traceOf } from './forward.ts';
import type { DeliveryPorts } from './ports.ts';
import type { Route } from './route.ts';

/** An event in the service's own words. */
function newsOf(event: InboxEvent, addresses: StepForm): Outgoing {
  const { read: _read, ...data } = shownEvent(event, false, addresses);
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
  // Whoever set another address meanwhile is not to pay for the old one.
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
  const answer = await say(ports, to, newsOf(event, ports.addresses), { signal, trace: traceOf(ports, event) });
  return { taken: answer.is !== 'refused' && answer.is !== 'unreadable', effects: [] };
}

export const a2aChannel: Channel = async (ports, route, events, signal) => {
  const [event] = events;
  const { id, a2a_url: url, a2a_card: known } = route.agent;
  if (!event || url === null || route.mute.has(event.kind)) return NOTHING;
  // An address that was set a moment ago: the first event must not find it spoken to in the wrong dialect.
  const card = known ?? (await lookAtEndpoint(ports.http, url, ports.clock.now(), signal));
  const look = known || !card ? [] : [keepCard(id, url, card)];
  const { taken, effects } = await carry(ports, remoteOf(url, card), event, signal);
  const marks = markWorking(route, taken, ports.clock.now());
  return { attempts: [], effects: [...look, ...effects, ...marks], accepted: taken ? [event.id] : [] };
};
