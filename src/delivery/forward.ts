// Sends a message on to its agent's own A2A endpoint, as its sender made it and marked as another party's words, and keeps what
// the endpoint said to it. A message is sent under its own id whenever its event is pushed, so that a repetition is known; what
// came of it is kept under the event's, so that an answer is posted once.
import { apply, type Effect, insert } from '../../db/effects.ts';
import { forwardByAnswer, forwardById, lastForward, messageToForward } from '../../db/queries/forward.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { InboxEvent } from '../../db/store.ts';
import { DEADLINE_MS } from '../domain/inbox/webhook.ts';
import type { Outgoing, RemoteAgent, RemoteAnswer } from '../domain/task/remote.ts';
import { traceHeaders } from '../domain/trace.ts';
import { hmac } from '../outbound/hash.ts';
import { FOLLOW, FORWARD_LIFE_MS, followLater, keptOf, settleNow } from '../steps/forward.ts';
import { unremind } from '../steps/reminder.ts';
import type { DeliveryPorts } from './ports.ts';

/** A task may come back with its whole history. */
const BYTES_MAX = 1_048_576;

/** The result of forwarding: whether the endpoint accepted it, and what to store. */
export interface Forwarded {
  readonly taken: boolean;
  readonly effects: readonly Effect<never>[];
}

/** A message as its event names it; null for events of other things. */
interface Named {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly sender: string;
  /** Empty without a task. */
  readonly task_id: string;
}

/** The message of an event. */
export function messageOf({ kind, data }: InboxEvent): Named | null {
  if (kind !== 'conversation.updated') return null;
  const { message_id, conversation_id, sender, task_id } = data;
  if (typeof message_id !== 'string' || typeof conversation_id !== 'string') return null;
  return { message_id, conversation_id, sender: String(sender), task_id: String(task_id ?? '') };
}

type Speaks = Pick<DeliveryPorts, 'http' | 'tracer' | 'speech'>;

/** A call's abort signal, the trace of its event, and its own span. */
interface Way {
  readonly signal: AbortSignal;
  readonly event: string;
  readonly trace: string | null;
  readonly span: string;
}

/** The way of an event, as a call of this channel. */
export function wayOf({ clock }: Pick<DeliveryPorts, 'clock'>, event: InboxEvent, signal: AbortSignal): Way {
  const span = hmac(event.id, `a2a:${clock.now()}`).slice(0, 16);
  return { signal, event: event.kind, trace: event.trace, span };
}

/** Sends and reads the answer; one that did not come whole is unreadable. */
export async function say(
  { http, tracer, speech }: Speaks,
  to: RemoteAgent,
  message: Outgoing,
  { signal, event, trace, span }: Way,
): Promise<RemoteAnswer> {
  const call = speech.send(to, message);
  const headers = { ...call.headers, ...traceHeaders(trace, span) };
  const answer = await http.request({ ...call, headers, deadline_ms: DEADLINE_MS, bytes_max: BYTES_MAX, signal });
  tracer?.note({
    name: 'push a2a',
    kind: 'client',
    trace,
    id: span,
    took_ms: answer.took_ms,
    failed: !answer.ok,
    attributes: { 'meshwork.event': event, 'http.response.status_code': answer.status },
  });
  return answer.ok ? speech.read(to, answer.status, answer.body) : { is: 'unreadable' };
}

/** Sends it as part of the endpoint's task; when that has ended there, sends it again without. */
async function sayAgain(ports: Speaks, to: RemoteAgent, message: Outgoing, way: Way): Promise<RemoteAnswer> {
  const answer = await say(ports, to, message, way);
  const known = message.remote_task_id !== null || message.remote_context_id !== null;
  if (answer.is !== 'refused' || !known) return answer;
  return say(ports, to, { ...message, remote_task_id: null, remote_context_id: null }, way);
}

/** The endpoint's ids of the conversation, and of the task if it still waits for this message. */
function namesOf(before: Row<'forwards'> | null, to: RemoteAgent, task_id: string | null) {
  if (!before || before.url !== to.url || before.dialect !== to.dialect) {
    return { remote_task_id: null, remote_context_id: null };
  }
  const open = before.state === 'working' || before.state === 'waiting';
  const same = open && task_id !== null && before.task_id === task_id;
  return { remote_task_id: same ? before.remote_task_id : null, remote_context_id: before.remote_context_id };
}

/** The previous forward of a message, and whether it is the last. */
interface Standing {
  readonly task_id: string | null;
  readonly before: Row<'forwards'> | null;
  readonly ends: boolean;
}

/** The message that went on with a task is looked after from now on, and no longer the one before it. */
function closeBefore(before: Row<'forwards'> | null, remote_task_id: string | null): Effect<never>[] {
  if (!before || remote_task_id === null || before.remote_task_id !== remote_task_id) return [];
  const open = (row: Row<'forwards'>): boolean => row.state === 'working' || row.state === 'waiting';
  const change = (row: Row<'forwards'>) => (open(row) ? { state: 'closed' as const } : {});
  return [apply('forwards', before.id, change), unremind(FOLLOW, before.id)];
}

function keep(
  ports: DeliveryPorts,
  { id, agent_id }: InboxEvent,
  named: Named,
  to: RemoteAgent,
  answer: RemoteAnswer,
  { ends, task_id, before }: Standing,
): Effect<never>[] {
  const now_ms = ports.clock.now();
  const kept = keptOf(answer);
  // An endpoint's reply to another endpoint's answer is not posted, or two of them would talk for ever.
  const { state, answer: said } = ends ? { state: 'closed' as const, answer: null } : kept;
  const { message_id, conversation_id } = named;
  const names = { agent_id, conversation_id, message_id, task_id, ...to };
  const { remote_task_id, remote_context_id } = kept;
  const times = { looks: 0, created_at: now_ms, expires_at: now_ms + FORWARD_LIFE_MS };
  const row = { id, ...names, remote_task_id, remote_context_id, state, answer: said, answer_id: null, ...times };
  const next = state === 'answered' ? settleNow(id, now_ms) : state === 'working' ? followLater(id, 0, now_ms) : null;
  return [insert('forwards', row, 'ignore'), ...closeBefore(before, remote_task_id), ...(next ? [next] : [])];
}

/** Forwards the message of an event, once. */
export async function forward(
  ports: DeliveryPorts,
  to: RemoteAgent,
  event: InboxEvent,
  named: Named,
  signal: AbortSignal,
): Promise<Forwarded> {
  const { message_id, conversation_id, sender } = named;
  const [sent, message, before, answers] = await Promise.all([
    ports.read(forwardById, { id: event.id }),
    ports.read(messageToForward, { conversation_id, id: message_id, task_id: named.task_id }),
    ports.read(lastForward, { conversation_id, agent_id: event.agent_id }),
    ports.read(forwardByAnswer, { answer_id: message_id }),
  ]);
  if (sent || !message) return { taken: true, effects: [] };
  const task_id = message.task_id;
  const words: Outgoing = {
    message_id,
    parts: message.said?.parts ?? [{ kind: 'text', text: message.content }],
    author: sender,
    ...namesOf(before, to, task_id),
    own_task_id: task_id ?? message_id,
    own_context_id: conversation_id,
  };
  const answer = await sayAgain(ports, to, words, wayOf(ports, event, signal));
  if (answer.is === 'refused' || answer.is === 'unreadable') return { taken: false, effects: [] };
  const effects = keep(ports, event, named, to, answer, { task_id, before, ends: answers !== null });
  return { taken: true, effects };
}
