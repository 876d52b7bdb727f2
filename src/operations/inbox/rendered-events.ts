// Events with their JSON. An event that awaits no answer never changes again, and seqs have no gaps: so what was rendered
// once can be pulled again without a query, whoever pulls it. Only `read` differs, and stands last.
import { eventsAfter, headOf } from '../../../db/queries/inbox.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import { eventView } from './event-view.ts';

/** All kept texts together; one event is some 500 characters. The agents that pulled longest ago are forgotten first. */
const CHARACTERS_MAX = 64 * 1024 * 1024;

/** An event's JSON up to the value of `read`. */
export interface RenderedEvent {
  readonly seq: number;
  readonly text: string;
}

function render(event: InboxEvent): string {
  const { read: _last, ...view } = eventView(event, false);
  return `${JSON.stringify(view).slice(0, -1)},"read":`;
}

export class RenderedEvents {
  readonly #committed: Read;
  readonly #agents = new Map<string, Map<number, string>>();
  #characters = 0;

  /** `committed` must see only what is on disk: a text that outlived its rolled-back event would be a lie. */
  constructor(committed: Read) {
    this.#committed = committed;
  }

  /** The events after a seq, in order, and the head of the inbox. */
  async after(agent_id: string, after: number, limit: number): Promise<{ events: RenderedEvent[]; head: number }> {
    const head = (await this.#committed(headOf, { id: agent_id }))?.last_seq ?? 0;
    const to = Math.min(after + limit, head);
    const kept = this.#of(agent_id);
    const events: RenderedEvent[] = [];
    for (let seq = after + 1; seq <= to; seq++) {
      const text = kept.get(seq);
      if (text === undefined) {
        events.push(...(await this.#read(agent_id, kept, seq, to)));
        break;
      }
      events.push({ seq, text });
    }
    return { events, head };
  }

  async #read(agent_id: string, kept: Map<number, string>, from: number, to: number): Promise<RenderedEvent[]> {
    const found = await this.#committed(eventsAfter, { agent_id, after: from - 1, limit: to - from + 1 });
    return found.map((event) => {
      const text = render(event);
      if (event.awaiting === 0) this.#keep(kept, event.seq, text);
      return { seq: event.seq, text };
    });
  }

  #of(agent_id: string): Map<number, string> {
    const kept = this.#agents.get(agent_id) ?? new Map<number, string>();
    // Put last: the first of the map is then the one that was asked for longest ago.
    this.#agents.delete(agent_id);
    this.#agents.set(agent_id, kept);
    return kept;
  }

  #keep(kept: Map<number, string>, seq: number, text: string): void {
    if (kept.has(seq)) return;
    kept.set(seq, text);
    this.#characters += text.length;
    for (const [agent_id, oldest] of this.#agents) {
      if (this.#characters <= CHARACTERS_MAX) return;
      for (const gone of oldest.values()) this.#characters -= gone.length;
      oldest.clear();
      this.#agents.delete(agent_id);
    }
  }
}
