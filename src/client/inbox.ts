// An agent's inbox as one endless list: streamed if possible, else pulled, each event once and in the order of seqs, across
// reconnects and restarts of the server.
import type { components } from './api.ts';
import { MeshworkError } from './error.ts';
import type { EventKind } from './operations.ts';
import { follow, type Source, type Streaming } from './stream.ts';

/** An event of an agent; `kind` decides the type of its data. A server that is newer than this package may send unknown kinds. They
 * are no member of this union, because a member with any text as kind would prevent narrowing. Read them as
 * `OtherEvent`. */
export type InboxEvent = components['schemas']['InboxEvent'];
/** An event of a kind. */
export type EventOf<K extends EventKind> = Extract<InboxEvent, { kind: K }>;
/** An event of any kind. */
export type OtherEvent = components['schemas']['InboxEventHead'] & { kind: string; data: Record<string, unknown> };
type InboxPage = components['schemas']['InboxPage'];

/** Handlers of events by kind; `other` gets the remaining kinds. */
export type Handlers = { readonly [K in EventKind]?: (event: EventOf<K>) => unknown } & {
  readonly other?: (event: OtherEvent) => unknown;
};

/** Events, for iteration or handlers. */
export interface Inbox extends AsyncIterable<InboxEvent> {
  /** Calls the handler of each event, one after the other; resolves when the signal fires. */
  run(handlers: Handlers): Promise<void>;
}

/** The service was restored from a backup: events after that backup are gone, and their seqs are used again. */
export interface InboxReset {
  readonly epoch: number;
  /** The last unchanged seq; reading continues after it. */
  readonly reset_after: number;
}

/** The position of a reader in an inbox. */
export interface InboxPlace {
  /** The last handled seq; 0, the default, begins with the first stored event. */
  readonly after: number;
  /** The epoch of the event with that seq, by which the reader notices a restore since its last read. */
  readonly epoch: number | undefined;
  /** Called after a restore, before the events since it. */
  readonly on_reset: ((reset: InboxReset) => unknown) | undefined;
}

/** The messages of a stream; when events were deleted for their age, the seq of the first stored one. */
type Told = InboxEvent | (InboxReset & { readonly reset: true }) | { readonly oldest_seq: number };

/** The calls by which an inbox is read. */
export interface InboxSource {
  readonly stream: Source<Told>;
  /** Pulls a page after a seq, and marks nothing as read. */
  readonly pull: (after: number) => Promise<InboxPage>;
}

/** Parses a message of the stream. */
export function toldOf(data: string): Told {
  const told: unknown = JSON.parse(data);
  const { seq, reset, oldest_seq } = Object(told) as { seq?: unknown; reset?: unknown; oldest_seq?: unknown };
  if (Number.isSafeInteger(seq ?? oldest_seq) || reset === true) return told as Told;
  const message = 'inbox.stream sent what is no event.';
  throw new MeshworkError({ code: 'invalid_answer', operation: 'inbox.stream', message });
}

function resetOf({ epoch, reset, reset_after = 0 }: InboxPage): (InboxReset & { readonly reset: true }) | null {
  return reset ? { reset, epoch, reset_after } : null;
}

/** Reads an inbox from a position. A seq beyond the end, or an event of a later epoch, means a restore: reading continues with the
 * events since it. */
class Reading {
  readonly #source: InboxSource;
  readonly #on_reset: InboxPlace['on_reset'];
  #last: number;
  #epoch: number | undefined;
  #anew = false;

  constructor(source: InboxSource, { after, epoch, on_reset }: InboxPlace) {
    this.#source = source;
    this.#on_reset = on_reset;
    this.#last = after;
    this.#epoch = epoch;
  }

  /** Pulls the events while no stream can be opened. */
  async *#pulled(failure: MeshworkError | null): AsyncGenerator<Streaming<Told>> {
    if (failure === null || failure.code === 'network_error') return;
    for (;;) {
      const page = await this.#source.pull(this.#last);
      const reset = resetOf(page);
      if (reset) yield { id: `${reset.reset_after}`, event: 'reset', data: reset };
      const { epoch } = page;
      for (const event of page.events) {
        yield { id: `${event.seq}`, event: event.kind, data: { ...event, ...(epoch !== undefined && { epoch }) } };
      }
      if (!reset && (!page.has_more || page.events.length === 0)) return;
    }
  }

  async #reset({ epoch, reset_after }: InboxReset): Promise<void> {
    this.#epoch = epoch;
    this.#last = reset_after;
    await this.#on_reset?.({ epoch, reset_after });
  }

  /** The events up to one of a later epoch, if any: from there the inbox is read again from that epoch's start. */
  async *#read(): AsyncGenerator<InboxEvent> {
    const stream = { ...this.#source.stream, after: `${this.#last}` };
    for await (const { data } of follow(stream, (failure) => this.#pulled(failure))) {
      if ('reset' in data) {
        await this.#reset(data);
        continue;
      }
      if ('oldest_seq' in data) continue;
      const { epoch, seq } = data;
      // An older epoch is ignored: it comes from a node that does not know of the restore yet.
      if (epoch !== undefined && this.#epoch !== undefined && epoch > this.#epoch) {
        // A seq beyond any inbox: the answer says where the epoch begins.
        const reset = resetOf(await this.#source.pull(Number.MAX_SAFE_INTEGER));
        await this.#reset(reset ?? { epoch, reset_after: 0 });
        this.#anew = true;
        return;
      }
      if (seq <= this.#last) continue;
      this.#epoch ??= epoch;
      this.#last = seq;
      yield data;
    }
  }

  async *events(): AsyncGenerator<InboxEvent> {
    do {
      this.#anew = false;
      for await (const event of this.#read()) yield event;
    } while (this.#anew);
  }
}

/** The inbox after a position. */
export function inbox(source: InboxSource, place: InboxPlace): Inbox {
  const events = (): AsyncGenerator<InboxEvent> => new Reading(source, place).events();
  const run = async (handlers: Handlers): Promise<void> => {
    // Each handler gets events of its own kind.
    const named = handlers as Readonly<Record<string, Handlers['other']>>;
    for await (const event of events()) await (named[event.kind] ?? handlers.other)?.(event);
  };
  return { [Symbol.asyncIterator]: events, run };
}
