// Event kinds (each is declared in events/), and the answers to events that ask for one. An event is answered once, by an
// action of its own kind (interface.md, Inbox).

import { type Static, Type } from 'typebox';
import { type Fault, fault, invalid } from '../fault.ts';
import type { NextOperation } from '../next-step.ts';
import type { EventWords } from '../words/en/events.ts';
import { ESCROWS, PAYMENTS, SUBSCRIPTIONS } from './events/money.ts';
import { CREDENTIALS, STANDING, UPKEEP } from './events/own.ts';
import { type ActionSpec, type EventSpec, type Notice, readerOf } from './events/spec.ts';
import { DEMANDS, MEETINGS, TALKS } from './events/talks.ts';

const EVENTS = {
  ...TALKS,
  ...ESCROWS,
  ...MEETINGS,
  ...PAYMENTS,
  ...CREDENTIALS,
  ...SUBSCRIPTIONS,
  ...STANDING,
  ...DEMANDS,
  ...UPKEEP,
};

export type EventKind = keyof typeof EVENTS;

/** The data of an event of a kind. */
export type DataOf<K extends EventKind> = Static<(typeof EVENTS)[K]['data']>;

const SPECS: Readonly<Record<EventKind, EventSpec>> = EVENTS;

/** All kinds. Each may be muted by name, which stops pushes, never the inbox itself (Q131, Q132). */
export const EVENT_KINDS = Object.keys(EVENTS) as readonly EventKind[];

/** Whether `text` names an event kind. */
export function isEventKind(text: string): text is EventKind {
  return Object.hasOwn(EVENTS, text);
}

/** The specification of a kind written by a newer version: its texts are untrusted, and it has no actions. */
const LATER: EventSpec = {
  when: 'A newer version of the service wrote it.',
  data: Type.Object({}),
  author: 'counterparty',
  importance: 'normal',
  notice: ({ words }) => ({ title: words.later, body: '', path: '/inbox' }),
};

/** The specification of a kind. */
export function specOf(kind: EventKind): EventSpec {
  return isEventKind(kind) ? SPECS[kind] : LATER;
}

/** The notice of an event for the person behind the agent `handle`, derived from the event alone; times are in `zone`, else in UTC. */
export function noticeOf(
  kind: EventKind,
  handle: string,
  data: AnswerableEvent['data'],
  words: EventWords,
  zone?: string,
): Notice {
  return specOf(kind).notice(readerOf(handle, data, words, zone));
}

/** What a kind is called. */
export function nameOf(kind: EventKind, words: EventWords): string {
  return words[kind].name;
}

/** The recorded answer to an event; `at` is ISO 8601. */
export interface Answer {
  readonly action: string;
  readonly note: string | null;
  readonly reason: string | null;
  readonly at: string;
}

/** The fields of a stored event that decide its actions. */
export interface AnswerableEvent {
  readonly id: string;
  readonly kind: EventKind;
  readonly data: Readonly<Record<string, unknown>>;
  readonly respond_by_ms: number | null;
  readonly answered: Answer | null;
}

/** One way to answer: the exact call, with valid input. `reasons` are the codes that it may carry. */
export interface EventAction {
  readonly action: string;
  readonly label: string;
  readonly operation: NextOperation;
  readonly input: Readonly<Record<string, unknown>>;
  readonly reasons?: readonly string[];
}

/** Whether events of this kind ask for an answer, which is kept with the event. */
export function isAnswerable(kind: EventKind): boolean {
  const { actions, by_thread } = specOf(kind);
  return actions !== undefined && !by_thread;
}

/** Whether an event is a message that asked for a reply; its conversation says whether it still does. */
export function asksReply({
  kind,
  respond_by,
}: {
  readonly kind: string;
  readonly respond_by: number | null;
}): boolean {
  return respond_by !== null && isEventKind(kind) && SPECS[kind].by_thread === true;
}

/** Whether the answer time of the kind counts for an agent's response time. */
export function isTimed(kind: string): boolean {
  return !(isEventKind(kind) && SPECS[kind].untimed);
}

/** Whether an unanswered event can no longer be answered. For a match its own state decides. */
export function isOver(event: {
  readonly kind: string;
  readonly subject_id: string | null;
  readonly awaiting: number;
  readonly answered: unknown;
}): boolean {
  const asked = event.subject_id !== null && event.kind !== 'match.created' && isEventKind(event.kind);
  return asked && isAnswerable(event.kind) && event.answered === null && event.awaiting === 0;
}

/** The actions of an event by name. */
function answersTo({ kind, data }: Pick<AnswerableEvent, 'kind' | 'data'>): Readonly<Record<string, ActionSpec>> {
  const { actions = {} } = specOf(kind);
  return typeof actions === 'function' ? actions(data) : actions;
}

/** The actions to show: all of the event's kind while it is unanswered, none afterwards. */
export function actionsOf(event: AnswerableEvent): EventAction[] {
  if (event.answered !== null) return [];
  return Object.entries(answersTo(event)).map(([action, { label, reasons, input }]) => ({
    action,
    label,
    operation: 'inbox.respond',
    input: { event_id: event.id, action, ...(input && { input: input(event.data) }) },
    ...(reasons && { reasons }),
  }));
}

/**
 * The refusal of an answer, or null when it may be recorded and performed. In order: 400 `invalid_action` for an action of
 * another kind, 400 for an unknown reason, 409 `already_answered` with the recorded answer, 409 `expired` after
 * `respond_by`. The operation that the action performs checks `input`.
 */
export function answerFault(
  event: AnswerableEvent,
  action: string,
  reason: string | null,
  now_ms: number,
): Fault<'invalid_action' | 'invalid_request' | 'already_answered' | 'expired'> | null {
  const specs = answersTo(event);
  const spec = Object.hasOwn(specs, action) ? specs[action] : undefined;
  if (!spec) {
    const names = Object.keys(specs);
    const hint = names.length > 0 ? `Answer a ${event.kind} with one of: ${names.join(', ')}.` : undefined;
    return fault('invalid_action', hint ?? `This ${event.kind} asks for no answer.`, { actions: names });
  }
  if (reason !== null && !spec.reasons?.includes(reason)) {
    const message = spec.reasons ? `Use one of: ${spec.reasons.join(', ')}.` : `${action} takes no reason.`;
    return invalid({ path: 'reason', message });
  }
  if (event.answered !== null) return fault('already_answered', undefined, { answered: event.answered });
  if (event.respond_by_ms !== null && now_ms > event.respond_by_ms && !spec.late) return fault('expired');
  return null;
}
