// Which letters are made of the events that a person is to hear of: one for each conversation or match that can be answered, so that
// an answer goes where it belongs, and one for the rest.
import type { EventKind } from '../inbox/event.ts';

/** The part of an event that decides. */
export interface PlannedEvent {
  readonly kind: EventKind;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LetterPlan<E extends PlannedEvent> {
  readonly threads: ReadonlyMap<string, readonly E[]>;
  /** By match: what offers it. */
  readonly matches: ReadonlyMap<string, readonly E[]>;
  readonly rest: readonly E[];
}

/** With news of more conversations and matches than this, one letter tells of all that nobody wrote in: who wrote is answered. */
const THREADS_MAX = 5;

/** The conversation that an answer to a letter about the event would go to. */
function threadOf({ kind, data }: PlannedEvent): string | null {
  const id = data['conversation_id'];
  return typeof id === 'string' && kind !== 'conversation.completed' ? id : null;
}

/** The match that an answer to a letter about the event would say yes to. */
function matchOf({ kind, data }: PlannedEvent): string | null {
  const id = data['match_id'];
  return typeof id === 'string' && kind === 'match.created' ? id : null;
}

/** What a later event says anew of the agent itself, so that the earlier one is old; null of what stands beside it. */
function restated({ kind, data }: PlannedEvent): string | null {
  if (kind === 'trust.updated') return `${kind} ${data['silent'] === true}`;
  return kind === 'agent.updated' ? `${kind} ${data['fields']}` : null;
}

/** Without what a later one of the events says anew. */
export function latestOf<E extends PlannedEvent>(events: readonly E[]): readonly E[] {
  const last = new Map(events.map((event) => [restated(event), event]));
  return events.filter((event) => restated(event) === null || last.get(restated(event)) === event);
}

/** Plans the letters about events, which keep their order. */
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

// How often a person gets letters about one agent: the first at once, and what comes within the pause after it together in
// the next. An answer ends the pause, so that people who write to each other by mail do not wait for their letters.

/** Ten minutes: a burst of events is one letter, and nobody waits long for the next. */
const PAUSE_MS = 600_000;

/** When the next letter may leave, in epoch milliseconds; `last_at` is when the last one did, 0 before the first and
 * after an answer. */
export function letterTime(last_at: number, now_ms: number): number {
  return Math.max(now_ms, last_at + PAUSE_MS);
}
