// Walks the inboxes of an account backwards as one list, newest first: each inbox in the order of its seq, the inboxes
// merged by time. Every event comes once, however many pages it takes.
import { eventsBefore } from '../../../db/queries/inbox.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import type { Places } from './places.ts';

/** With more inboxes than this few of each are read at a time: most have nothing on the page. */
const FEW_INBOXES = 3;
const BITE = 8;

class Backwards {
  readonly agent_id: string;
  readonly #read: Read;
  readonly #bite: number;
  #found: InboxEvent[] = [];
  /** All of lower seq are still to come. */
  before: number;

  constructor(read: Read, agent_id: string, before: number, bite: number) {
    this.#read = read;
    this.agent_id = agent_id;
    this.before = before;
    this.#bite = bite;
  }

  /** The next event, not taken yet. */
  async next(): Promise<InboxEvent | null> {
    if (this.#found.length === 0 && this.before > 1) {
      const { agent_id, before } = this;
      this.#found = await this.#read(eventsBefore, { agent_id, before, limit: this.#bite });
      if (this.#found.length === 0) this.before = 1;
    }
    return this.#found[0] ?? null;
  }

  take(): void {
    const event = this.#found.shift();
    if (event) this.before = event.seq;
  }
}

const isNewer = (a: InboxEvent, b: InboxEvent): boolean =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at;

/** The newest events before a place, and the place after them; null when nothing comes after. */
export async function newest(
  read: Read,
  from: Places,
  limit: number,
): Promise<{ events: InboxEvent[]; rest: Places | null }> {
  const bite = from.size > FEW_INBOXES ? Math.min(BITE, limit) : limit;
  const walks = [...from].map(([agent_id, before]) => new Backwards(read, agent_id, before, bite));
  const events: InboxEvent[] = [];
  while (events.length < limit) {
    const heads = await Promise.all(walks.map(async (walk) => ({ walk, event: await walk.next() })));
    let first: { walk: Backwards; event: InboxEvent } | null = null;
    for (const { walk, event } of heads) {
      if (event !== null && (first === null || isNewer(event, first.event))) first = { walk, event };
    }
    if (first === null) break;
    first.walk.take();
    events.push(first.event);
  }
  const rest = new Map(walks.filter(({ before }) => before > 1).map(({ agent_id, before }) => [agent_id, before]));
  return { events, rest: rest.size > 0 ? rest : null };
}
