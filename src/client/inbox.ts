// An agent's inbox as one endless list: streamed where that works, pulled where it does not, each event once and in order
// of its seq, whatever becomes of connections and of the server meanwhile.
import type { components } from './api.ts';
import { MeshworkError } from './error.ts';
import type { EventKind } from './operations.ts';
import { follow, type Source, type Streaming } from './stream.ts';

/** Something that happened to an agent; `kind` tells what is in its data. A server that is newer than this package may send
 * kinds that are not named here. They are no member of this union: one whose kind is any text would fit every kind, and
 * no comparison would narrow the data any more. `OtherEvent` is how they are read. */
export type InboxEvent = components['schemas']['InboxEvent'];
/** An event of a kind. */
export type EventOf<K extends EventKind> = Extract<InboxEvent, { kind: K }>;
/** An event of whatever kind. */
export type OtherEvent = components['schemas']['InboxEventHead'] & { kind: string; data: Record<string, unknown> };
type InboxPage = components['schemas']['InboxPage'];

/** What is done with events by their kind; `other` gets those of kinds that are not named. */
export type Handlers = { readonly [K in EventKind]?: (event: EventOf<K>) => unknown } & {
  readonly other?: (event: OtherEvent) => unknown;
};

/** Events, to be iterated or handed to handlers. */
export interface Inbox extends AsyncIterable<InboxEvent> {
  /** Calls the handler of each event, one after the other; resolves when the signal fires. */
  run(handlers: Handlers): Promise<void>;
}

/** What an inbox is read with. */
export interface InboxSource {
  readonly stream: Source<InboxEvent>;
  /** Pulls a page after a seq, and marks nothing as read. */
  readonly pull: (after: number) => Promise<InboxPage>;
}

/** The event that a text of the stream stands for. */
export function eventOf(data: string): InboxEvent {
  const event: unknown = JSON.parse(data);
  const { seq } = Object(event) as { seq?: unknown };
  if (Number.isSafeInteger(seq)) return event as InboxEvent;
  const message = 'inbox.stream sent what is no event.';
  throw new MeshworkError({ code: 'invalid_answer', operation: 'inbox.stream', message });
}

/** The inbox after a seq. */
export function inbox({ stream, pull }: InboxSource, after: number): Inbox {
  async function* events(): AsyncGenerator<InboxEvent> {
    let last = after;
    // While no stream comes through, what it would have brought is pulled.
    async function* pulled(failure: MeshworkError | null): AsyncGenerator<Streaming<InboxEvent>> {
      if (failure === null || failure.code === 'network_error') return;
      for (let page = await pull(last); ; page = await pull(last)) {
        for (const event of page.events) yield { id: `${event.seq}`, event: event.kind, data: event };
        if (!page.has_more || page.events.length === 0) return;
      }
    }
    for await (const { data: event } of follow(stream, pulled)) {
      if (event.seq <= last) continue;
      last = event.seq;
      yield event;
    }
  }
  const run = async (handlers: Handlers): Promise<void> => {
    // Each handler gets events of its own kind.
    const named = handlers as Readonly<Record<string, Handlers['other']>>;
    for await (const event of events()) await (named[event.kind] ?? handlers.other)?.(event);
  };
  return { [Symbol.asyncIterator]: events, run };
}
