// Sums an agent's activity while it is read: in all, by day and by listing. Memory grows with days, listings and distinct answer
// times, not with the number of events.
import { PHASES, type Phase } from '../conversation/conversation.ts';

/** What is counted; `revenue_cents` are cents. */
export const COUNTED = ['views', 'matches', 'conversations', 'replies', 'deals', 'revenue_cents'] as const;

export type Counted = (typeof COUNTED)[number];
export type Counts = Readonly<Record<Counted, number>>;

/** A count on a day, for a listing of the agent or for none. */
export interface Figure {
  readonly day: string;
  readonly listing_id: string | null;
  readonly n: number;
}

/** How many conversations reached a phase. */
export interface Reached {
  readonly phase: Phase;
  readonly conversations: number;
}

const nothing = (): Record<Counted, number> => ({
  views: 0,
  matches: 0,
  conversations: 0,
  replies: 0,
  deals: 0,
  revenue_cents: 0,
});

/** The sums over one listing, or over all. */
export class Sums {
  readonly #counts = nothing();
  /** Conversations by the farthest phase of each. */
  readonly #ended = new Map<Phase, number>();
  /** Answers by the whole seconds that they took. */
  readonly #took = new Map<number, number>();

  get counts(): Counts {
    return this.#counts;
  }

  add(what: Counted, n: number): void {
    this.#counts[what] += n;
  }

  addConversations(phase: Phase, n: number): void {
    this.add('conversations', n);
    this.#ended.set(phase, (this.#ended.get(phase) ?? 0) + n);
  }

  addReplies(seconds: number, n: number): void {
    const took = Math.max(0, seconds);
    this.add('replies', n);
    this.#took.set(took, (this.#took.get(took) ?? 0) + n);
  }

  /** Conversations that reached each phase; a conversation also counts for all earlier phases. */
  get by_phase(): Reached[] {
    return PHASES.map((phase, n) => ({
      phase,
      conversations: PHASES.slice(n).reduce((sum, later) => sum + (this.#ended.get(later) ?? 0), 0),
    }));
  }

  /** The median answer time in whole seconds; null without answers. */
  get median_response_seconds(): number | null {
    const { replies } = this.#counts;
    if (replies === 0) return null;
    const lengths = Float64Array.from(this.#took.keys()).sort();
    const at = (place: number): number => {
      let passed = 0;
      const found = lengths.find((seconds) => {
        passed += this.#took.get(seconds) ?? 0;
        return passed > place;
      });
      return found ?? 0;
    };
    return Math.round((at(Math.floor((replies - 1) / 2)) + at(Math.floor(replies / 2))) / 2);
  }
}

export class Tally {
  readonly whole = new Sums();
  readonly #days = new Map<string, Record<Counted, number>>();
  readonly #listings = new Map<string, Sums>();

  /** Adds a count, except of conversations and answers. */
  add(what: Exclude<Counted, 'conversations' | 'replies'>, { day, listing_id, n }: Figure): void {
    this.#addOn(day, what, n);
    for (const sums of this.#under(listing_id)) sums.add(what, n);
  }

  /** Adds conversations by the farthest phase that each reached. */
  addConversations({ day, listing_id, n, phase }: Figure & { readonly phase: Phase }): void {
    this.#addOn(day, 'conversations', n);
    for (const sums of this.#under(listing_id)) sums.addConversations(phase, n);
  }

  /** Adds answers that took so many seconds each. */
  addReplies({ day, listing_id, n, seconds }: Figure & { readonly seconds: number }): void {
    this.#addOn(day, 'replies', n);
    for (const sums of this.#under(listing_id)) sums.addReplies(seconds, n);
  }

  ofDay(day: string): Counts {
    return this.#days.get(day) ?? nothing();
  }

  ofListing(id: string): Sums {
    return this.#listings.get(id) ?? new Sums();
  }

  #addOn(day: string, what: Counted, n: number): void {
    const counts = this.#days.get(day) ?? nothing();
    counts[what] += n;
    this.#days.set(day, counts);
  }

  #under(listing_id: string | null): Sums[] {
    if (listing_id === null) return [this.whole];
    const sums = this.#listings.get(listing_id) ?? new Sums();
    this.#listings.set(listing_id, sums);
    return [this.whole, sums];
  }
}
