// The second channel: the agent's own A2A endpoint, as a message of protocol 0.3 whose id is the event's, so that a
// repetition is recognised. While it takes nothing it is not named among the agent's transports.
import { apply, type Effect } from '../../db/effects.ts';
import type { InboxEvent } from '../../db/store.ts';
import { DEADLINE_MS, isAccepted } from '../domain/inbox/webhook.ts';
import type { StepForm } from '../domain/next-step.ts';
import { traceHeaders } from '../domain/trace.ts';
import { hmac } from '../outbound/hash.ts';
import type { SafeAnswer } from '../outbound/safe-http/safe-http.ts';
import { shownEvent } from '../schemas/event.ts';
import { type Channel, NOTHING } from './channel.ts';
import type { Route } from './route.ts';

/** A task may come back with its whole history. */
const BYTES_MAX = 1_048_576;

function messageOf(event: InboxEvent, addresses: StepForm): string {
  const { read: _read, ...data } = shownEvent(event, false, addresses);
  const asks = data.actions.length > 0 ? ' It asks for an answer: see the actions in the data part.' : '';
  const text = `${event.kind} for @${event.handle}, event ${event.seq} of its inbox.${asks}`;
  return JSON.stringify({
    jsonrpc: '2.0',
    id: event.id,
    method: 'message/send',
    params: {
      message: {
        kind: 'message',
        messageId: event.id,
        role: 'user',
        parts: [
          { kind: 'text', text },
          { kind: 'data', data },
        ],
      },
      configuration: { acceptedOutputModes: ['text/plain'], blocking: false },
    },
  });
}

/** Whether the endpoint took the message: a 2xx that carries a result. */
function isResult(answer: SafeAnswer): boolean {
  if (!answer.ok || !isAccepted(answer.status)) return false;
  try {
    const reply: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'));
    return typeof reply === 'object' && reply !== null && 'result' in reply && reply.result !== null;
  } catch {
    // A 2xx in another language is not an answer of this protocol.
    return false;
  }
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

export const a2aChannel: Channel = async ({ http, clock, addresses }, route, events, signal) => {
  const [event] = events;
  const url = route.agent.a2a_url;
  if (!event || url === null || route.mute.has(event.kind)) return NOTHING;
  const answer = await http.request({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...traceHeaders(event.trace, hmac(event.id, `a2a:${clock.now()}`).slice(0, 16)),
    },
    body: messageOf(event, addresses),
    deadline_ms: DEADLINE_MS,
    bytes_max: BYTES_MAX,
    signal,
  });
  const works = isResult(answer);
  return { attempts: [], effects: markWorking(route, works, clock.now()), accepted: works ? [event.id] : [] };
};
