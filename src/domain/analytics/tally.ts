// Sums an agent's activity while it is read: in all, by day and by listing. Memory grows with days, listings and distinct answer
// times, not with the number of events.
import { PHASES, type Phase } from '../conversation/conversation.ts';
import { weekOf } from '../text/day.ts';

/** What is counted; `revenue_cents` are cents. */
const COUNTED = ['views', 'matches', 'conversations', 'replies', 'deals', 'revenue_cents'] as const;

/** What may be incomplete in an answer. */
export const CUT = ['views', 'matches', 'by_phase', 'replies', 'deals', 'revenue_cents'] as const;
export type Cut = (typeof CUT)[number];

export type Counted = (typeof COUNTED)[number];
export type Counts = Readonly<Record<Counted, number>>;

/** A count on a day, for a listing of the agent or for none. */
export interface Figure {
  readonly day: string;
  readonly listing_id: string | null;
  readonly n: number;
}

/** Calls to the agent as a provider on one day; `latency_ms` is null where the call failed. */
interface Called {
  readonly capability: string;
  readonly day: string;
  readonly n: number;
  readonly latency_ms: number | null;
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

/** A distribution of whole numbers. */
export class Distribution {
  readonly #times = new Map<number, number>();
  n = 0;

  add(value: number, n: number): void {
    this.#times.set(value, (this.#times.get(value) ?? 0) + n);
    this.n += n;
  }

  /** The median, rounded; null without values. */
  get median(): number | null {
    if (this.n === 0) return null;
    const lengths = Float64Array.from(this.#times.keys()).sort();
    const at = (place: number): number => {
      let passed = 0;
      const found = lengths.find((length) => {
        passed += this.#times.get(length) ?? 0;
        return passed > place;
      });
      return found ?? 0;
    };
    return Math.round((at(Math.floor((this.n - 1) / 2)) + at(Math.floor(this.n / 2))) / 2);
  }
}

/** The sums over one listing, or over all. */
export class Sums {
  readonly #counts = nothing();
  /** Conversations by the farthest phase of each. */
  readonly #ended = new Map<Phase, number>();
  /** Answers by the whole seconds that they took. */
  readonly #took = new Distribution();

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
    this.add('replies', n);
    this.#took.add(seconds, n);
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
    return this.#took.median;
  }
}

/** Calls of a capability, and the latencies of the successful ones in ms. */
export class Served {
  calls = 0;
  readonly took = new Distribution();
}

class Capability {
  readonly whole = new Served();
  readonly #weeks = new Map<string, Served>();

  readonly ofWeek = (week: string): Served => this.#weeks.get(week) ?? new Served();

  add(day: string, n: number, latency_ms: number | null): void {
    const week = weekOf(day);
    const within = this.ofWeek(week);
    this.#weeks.set(week, within);
    for (const served of [this.whole, within]) {
      served.calls += n;
      if (latency_ms !== null) served.took.add(latency_ms, n);
    }
  }
}

export class Tally {
  readonly whole = new Sums();
  readonly #days = new Map<string, Record<Counted, number>>();
  readonly #weeks = new Map<string, Distribution>();
  readonly #listings = new Map<string, Sums>();
  readonly capabilities = new Map<string, Capability>();

  /** Adds a count, except of answers; conversations without their phases. */
  add(what: Exclude<Counted, 'replies'>, { day, listing_id, n }: Figure): void {
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
    const took = Math.max(0, seconds);
    this.#addOn(day, 'replies', n);
    const week = this.ofWeek(weekOf(day));
    this.#weeks.set(weekOf(day), week);
    week.add(took, n);
    for (const sums of this.#under(listing_id)) sums.addReplies(took, n);
  }

  /** Adds calls of a capability with the same latency. */
  addCalls({ capability, day, n, latency_ms }: Called): void {
    const of = this.capabilities.get(capability) ?? new Capability();
    this.capabilities.set(capability, of);
    of.add(day, n, latency_ms);
  }

  /** The answer times of a week in seconds. */
  ofWeek(week: string): Distribution {
    return this.#weeks.get(week) ?? new Distribution();
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
