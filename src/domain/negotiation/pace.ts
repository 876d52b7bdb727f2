// When a side gives. Its offers are a way of six steps, from its best to its last one. Where the other side answers a step by repeating its
// price, by nearly the same or by a worse one, it stays where it is, so that stalling brings nothing. It waits a few times in a talk only, and
// takes its last steps before its turns are over: two who wait would never agree.

/** Offers from the first to the last. */
export const OFFERS_MAX = 6;
const LAST = OFFERS_MAX - 1;

/** Turns of one side in one conversation; the last one takes what was named, or ends it. */
export const TURNS_MAX = 12;

/** Concessions come late: who gives early gives more, also to a side that would have given itself. */
const CURVE = [1.6, 2.6] as const;

/** The share of all that it may give that a side of such a pace has given at a step. */
export function wayAt(step: number, pace: number): number {
  return (Math.min(step, LAST) / LAST) ** (CURVE[0] + (CURVE[1] - CURVE[0]) * pace);
}

/** How often it waits in a talk. */
const WAITS_MAX = 3;
/** The share of its last step that the other side has to give for the next one. */
const ANSWER = 0.3;

/** Its own offers before it comes to its last one early. */
const HURRIES_FROM = 4;

/** What was offered, oldest first: null for an own offer, of the other side's what it is worth to this one. */
export type Offered = readonly (number | null)[];

/** What a side has given at a step, in the measure of that worth. */
export type Given = (step: number) => number;

interface At {
  /** Of the last own offer; -1 before the first. */
  readonly step: number;
  readonly waits: number;
  /** The worth of the other side's best offer, and of its best when this side gave last; null before its first. */
  readonly best: number | null;
  readonly answered: number | null;
}

/** The next own offer. */
function next({ step, waits, best, answered }: At, given: Given, waits_max: number): At {
  const gained = best === null || answered === null ? 0 : best - answered;
  const is_answered = gained >= ANSWER * (given(step) - given(Math.max(0, step - 1)));
  // After its last offer it says once that it goes no further, and again while the other side comes nearer.
  if (step >= LAST) return { step: gained > 0 ? OFFERS_MAX : step + 1, waits, best, answered: best };
  if (step > 0 && waits < waits_max && !is_answered) return { step, waits: waits + 1, best, answered };
  return { step: step + 1, waits, best, answered: best };
}

/** The other side's offer. */
function hear(at: At, worth: number): At {
  const best = Math.max(at.best ?? worth, worth);
  return { ...at, best, answered: at.answered ?? worth };
}

/** Where a side is in a talk. */
export interface Pace {
  /** The step of its next offer. From `OFFERS_MAX` on it has made its last one. */
  readonly step: number;
  /** Its turns that are left. */
  readonly left: number;
}

/** Where a side is after so many turns. With another offer to compare it does not wait: the turns are for asking for better ones. */
export function paceOf(offered: Offered, given: Given, turns: number, has_rivals: boolean): Pace {
  const waits_max = has_rivals ? 0 : WAITS_MAX;
  let at: At = { step: -1, waits: 0, best: null, answered: null };
  for (const worth of offered) at = worth === null ? next(at, given, waits_max) : hear(at, worth);
  const left = TURNS_MAX - turns;
  // It comes to its last price before its turns end, but not where answers took them: whoever asks questions would get it at once.
  const hurries = left <= 2 && offered.filter((worth) => worth === null).length >= HURRIES_FROM;
  return { step: Math.max(next(at, given, waits_max).step, hurries ? OFFERS_MAX + 1 - left : 0), left };
}
