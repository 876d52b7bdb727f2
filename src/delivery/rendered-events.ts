// A cache of events with their JSON. An event that awaits no answer changes only when an account that it names is deleted and names no call, and seqs have no
// gaps: so its JSON serves later pulls by all callers and transports without a query, until its age allows its deletion. Only `read` differs, and is the last
// member. A page whose events were all read before is cached whole.
import { eventsAfter, headOf } from '../../db/queries/inbox.ts';
import type { Read, Store } from '../../db/store.ts';
import type { StepForm } from '../domain/next-step.ts';
import { askingMessage, asWaiting, eventView, NONE_WAITS, shownEvent, type Waiting } from '../schemas/event.ts';

/** All cached texts together, each counted twice for the page that it may be in; one event is some 500 characters. The
 * least recently pulling agents are evicted first. */
const CHARACTERS_MAX = 64 * 1024 * 1024;

/** An event's JSON up to the value of `read`; an event that awaits an answer is rendered for each transport, with its calls. */
export interface RenderedEvent {
  readonly seq: number;
  readonly created_at: number;
  /** The message that asked for a reply; its text is that of one which waits no more. */
  readonly message_id: string | null;
  readonly text: string | ((form: StepForm) => string);
}

/** The events of one pull, in order. */
class RenderedPage {
  readonly events: readonly RenderedEvent[];
  #body: { readonly rest: string; readonly form: StepForm; readonly text: string } | null = null;

  constructor(events: readonly RenderedEvent[]) {
    this.events = events;
  }

  /** The JSON of the whole answer: the events, then the members of `rest`, an object's JSON. */
  json(rest: string, isRead: (seq: number) => boolean, form: StepForm, waiting: Waiting): string {
    const said = ({ text, message_id }: RenderedEvent): string => {
      if (typeof text !== 'string') return text(form);
      return message_id !== null && waiting.has(message_id)
        ? jsonOf(asWaiting(JSON.parse(`${text}false}`), form))
        : text;
    };
    const events = this.events.map((event) => `${said(event)}${isRead(event.seq)}}`).join(',');
    return `{"events":[${events}],${rest.slice(1)}`;
  }

  /** The same when all events were read before: one text while `rest` and the transport stay the same. */
  read(rest: string, form: StepForm, waiting: ReadonlySet<string>): string {
    if (waiting.size > 0) return this.json(rest, () => true, form, waiting);
    const kept = this.#body;
    if (kept?.rest === rest && kept.form === form) return kept.text;
    const text = this.json(rest, () => true, form, waiting);
    this.#body = { rest, form, text };
    return text;
  }
}

/** The cache of one agent's inbox: events by seq, and the last page that was made of cached ones only. */
interface Kept {
  readonly texts: Map<number, RenderedEvent & { readonly text: string }>;
  page: RenderedPage | null;
}

const EMPTY = new RenderedPage([]);

function jsonOf<V extends { readonly read: boolean }>({ read: _last, ...view }: V): string {
  return `${JSON.stringify(view).slice(0, -1)},"read":`;
}

export class RenderedEvents {
  readonly #committed: Read;
  readonly #clock: { now(): number };
  readonly #kept_ms: number;
  readonly #agents = new Map<string, Kept>();
  #characters = 0;

  /** Reads must be of committed state: a text must not outlive its rolled-back event. An event may be deleted when it is older than
   * `kept_ms`; by default none is. */
  constructor(
    store: Pick<Store, 'read' | 'onCommit'>,
    clock: { now(): number },
    kept_ms: number = Number.POSITIVE_INFINITY,
  ) {
    this.#committed = store.read;
    this.#clock = clock;
    this.#kept_ms = kept_ms;
    store.onCommit(({ changed }) => {
      if (changed.some(({ table }) => table === 'events')) this.#forget();
    });
  }

  /** Drops all texts: the content of events changes only when an account is deleted, which is rare. */
  #forget(): void {
    this.#agents.clear();
    this.#characters = 0;
  }

  /** The events after a seq, in order, and the head of the inbox. */
  async after(agent_id: string, after: number, limit: number): Promise<{ page: RenderedPage; head: number }> {
    const head = (await this.#committed(headOf, { id: agent_id }))?.last_seq ?? 0;
    const to = Math.min(after + limit, head);
    const kept = this.#of(agent_id);
    const known = kept.page?.events;
    const [first] = known ?? [];
    if (kept.page && first?.seq === after + 1 && known?.at(-1)?.seq === to && this.#isThere(first))
      return { page: kept.page, head };
    const events: RenderedEvent[] = [];
    for (let seq = after + 1; seq <= to; seq++) {
      const event = kept.texts.get(seq);
      // Events after an existing one exist too.
      if (event === undefined || (seq === after + 1 && !this.#isThere(event))) {
        events.push(...(await this.#read(agent_id, kept, seq, to)));
        return { page: new RenderedPage(events), head };
      }
      events.push(event);
    }
    if (events.length === 0) return { page: EMPTY, head };
    kept.page = new RenderedPage(events);
    return { page: kept.page, head };
  }

  #isThere({ created_at }: RenderedEvent): boolean {
    return created_at >= this.#clock.now() - this.#kept_ms;
  }

  async #read(agent_id: string, kept: Kept, from: number, to: number): Promise<RenderedEvent[]> {
    const found = await this.#committed(eventsAfter, { agent_id, after: from - 1, limit: to - from + 1 });
    return found.map((event) => {
      const { seq, created_at } = event;
      const of = { seq, created_at, message_id: askingMessage(event) };
      if (event.awaiting !== 0) return { ...of, text: (form) => jsonOf(shownEvent(event, false, form, NONE_WAITS)) };
      const rendered = { ...of, text: jsonOf(eventView(event, false, NONE_WAITS)) };
      this.#keep(kept, rendered);
      return rendered;
    });
  }

  #of(agent_id: string): Kept {
    const kept: Kept = this.#agents.get(agent_id) ?? { texts: new Map(), page: null };
    // Moved to the end: the first of the map is then the least recently used.
    this.#agents.delete(agent_id);
    this.#agents.set(agent_id, kept);
    return kept;
  }

  #keep({ texts }: Kept, event: RenderedEvent & { readonly text: string }): void {
    if (texts.has(event.seq)) return;
    texts.set(event.seq, event);
    this.#characters += 2 * event.text.length;
    for (const [agent_id, oldest] of this.#agents) {
      if (this.#characters <= CHARACTERS_MAX) return;
      for (const gone of oldest.texts.values()) this.#characters -= 2 * gone.text.length;
      oldest.texts.clear();
      oldest.page = null;
      this.#agents.delete(agent_id);
    }
  }
}
