// Groups events into letters: one for each conversation or match that can be answered by reply, so that the reply reaches it, and one for the rest.
import type { EventKind } from '../inbox/event.ts';

/** The fields of an event that decide. */
export interface PlannedEvent {
  readonly kind: EventKind;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LetterPlan<E extends PlannedEvent> {
  readonly threads: ReadonlyMap<string, readonly E[]>;
  /** Events that offer a match, by match. */
  readonly matches: ReadonlyMap<string, readonly E[]>;
  readonly rest: readonly E[];
}

/** Above this number of conversations and matches, one letter covers all without a message; those with a message stay separate. */
const THREADS_MAX = 5;

/** The conversation that a reply to a letter about the event goes to. */
function threadOf({ kind, data }: PlannedEvent): string | null {
  const id = data['conversation_id'];
  return typeof id === 'string' && kind !== 'conversation.completed' ? id : null;
}

/** The match that a reply to a letter about the event approves. */
function matchOf({ kind, data }: PlannedEvent): string | null {
  const id = data['match_id'];
  return typeof id === 'string' && kind === 'match.created' ? id : null;
}

/** The key under which a later event about the agent itself replaces an earlier one; null for events that do not. */
function restated({ kind, data }: PlannedEvent): string | null {
  if (kind === 'trust.updated') return `${kind} ${data['silent'] === true}`;
  return kind === 'agent.updated' ? `${kind} ${data['fields']}` : null;
}

/** Removes events that a later one replaces. */
export function latestOf<E extends PlannedEvent>(events: readonly E[]): readonly E[] {
  const last = new Map(events.map((event) => [restated(event), event]));
  return events.filter((event) => restated(event) === null || last.get(restated(event)) === event);
}

/** Plans the letters; events keep their order. */
export function letterPlan<E extends PlannedEvent>(events: readonly E[]): LetterPlan<E> {
  const threads = new Map<string, E[]>();
  const matches = new Map<string, E[]>();
  const rest: E[] = [];
  for (const event of events) {
    const [thread, match] = [threadOf(event), matchOf(event)];
    if (thread !== null) threads.set(thread, [...(threads.get(thread) ?? []), event]);
    else if (match !== null) matches.set(match, [...(matches.get(match) ?? []), event]);
    else rest.push(event);
  }
  if (threads.size + matches.size <= THREADS_MAX) return { threads, matches, rest };
  const written = new Map([...threads].filter(([, news]) => news.some(({ kind }) => kind === 'conversation.updated')));
  const kept = new Set([...written.values()].flat());
  return { threads: written, matches: new Map(), rest: events.filter((event) => !kept.has(event)) };
}

// How often a person gets letters about one agent: the first at once, then the events of a pause together in the next. A
// reply ends the pause, so that people who write to each other by mail do not wait.

/** Ten minutes: a burst of events is one letter, and the next one comes soon. */
const PAUSE_MS = 600_000;

/** When the next letter may be sent, in epoch milliseconds; `last_at` is the time of the last one, 0 before the first and after a reply. */
export function letterTime(last_at: number, now_ms: number): number {
  return Math.max(now_ms, last_at + PAUSE_MS);
}
