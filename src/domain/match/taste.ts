// How an agent's own answers reorder its matches. A reason affects only what it names; one answer is no taste; no taste
// shifts a pair by more than TASTE_MAX. The score of a pair, which both sides share, does not change.

import { assertNever } from '../assert.ts';
import { DAY_MS } from '../time.ts';
import type { ReasonOf } from './reason.ts';
import { spokenPlace } from './reason-clause.ts';
import { isLike, placesOf, type Said, type Signal, shareOf, type TasteSide } from './signal.ts';

/** The largest shift of a pair, up or down; scores range from 0.25 to 1, so taste only orders similar pairs. */
export const TASTE_MAX = 0.1;
/** The largest shift of each kind of taste; together they stay within TASTE_MAX. A distrusted agent gets the full shift. */
export const TASTE_BOUNDS = { label: 0.06, place: 0.05, price: 0.04, agent: TASTE_MAX } as const;
/** The number of accounts with equal answers that make a taste. Fewer are chance, or one account's many listings. */
export const ALIKE_MIN = 3;
/** An answer has half its weight after so long, since needs change with the season. */
export const HALF_LIFE_MS = 90 * DAY_MS;
/** Laplace smoothing: one more answer for and one more against. */
const DOUBT = 2;

/** An agent's preference for or against a label, a place or another agent. */
interface Lean {
  readonly likes: number;
  readonly declines: number;
  /** −1 to 1: from less of it to more of it. 0 while there are too few equal answers. */
  readonly strength: number;
}

interface Weighed {
  readonly said: Said;
  readonly weight: number;
  /** A decline for something that the agent's own listing names too: it weakens a like, and is no dislike. */
  readonly own: boolean;
  readonly share: number;
}

/** By account, only the last answer: an account counts once, whatever the number of its listings. */
type Tally = Map<string, Weighed>;

/** The taste of an agent in one role at one instant. */
export interface Leaning {
  readonly labels: ReadonlyMap<string, Lean>;
  readonly places: ReadonlyMap<string, Lean>;
  /** Agents that it distrusts or blocks; strengths from −1 to 0. */
  readonly agents: ReadonlyMap<string, Lean & { readonly said: Said }>;
  /** The answers about each account's price. */
  readonly prices: readonly Weighed[];
}

function leanOf(words: Iterable<Weighed>): Lean {
  let [likes, declines, liked, declined, countered] = [0, 0, 0, 0, 0];
  for (const { said, weight, own } of words) {
    if (isLike(said)) {
      likes += 1;
      liked += weight;
    } else if (own) countered += weight;
    else {
      declines += 1;
      declined += weight;
    }
  }
  const against = declined + countered;
  const up = likes < ALIKE_MIN ? 0 : (liked - against) / (liked + against + DOUBT);
  const down = declines < ALIKE_MIN ? 0 : (liked - declined) / (liked + declined + DOUBT);
  return { likes, declines, strength: up > 0 ? up : Math.min(0, down) };
}

function leansOf(tallies: ReadonlyMap<string, Tally>): Map<string, Lean> {
  return new Map([...tallies].map(([what, tally]) => [what, leanOf(tally.values())]));
}

function note(tallies: Map<string, Tally>, names: readonly string[], account_id: string, word: Weighed): void {
  for (const name of names) {
    const tally = tallies.get(name) ?? new Map<string, Weighed>();
    tally.set(account_id, word);
    tallies.set(name, tally);
  }
}

/** The taste for a listing in the role `as`. */
export function leaningOf(signals: readonly Signal[], as: string, now_ms: number): Leaning {
  const labels = new Map<string, Tally>();
  const places = new Map<string, Tally>();
  const prices: Tally = new Map();
  const agents = new Map<string, Lean & { said: Said }>();
  for (const { said, at, account_id, agent_id, share, ...held } of signals) {
    const weight = 0.5 ** (Math.max(0, now_ms - at) / HALF_LIFE_MS);
    const distrusted = said === 'blocked' || said === 'not_trusted';
    // A block counts until it is removed; a later positive answer restores trust.
    const strength = said === 'blocked' ? -1 : -weight;
    if (distrusted) agents.set(agent_id, { likes: 0, declines: 1, strength, said });
    else if (isLike(said) && agents.get(agent_id)?.said === 'not_trusted') agents.delete(agent_id);
    if (held.as !== as) continue;
    const word = { said, weight, own: false, share: share ?? 0 };
    const ofOwn = { ...word, own: true };
    note(labels, held.labels, account_id, word);
    note(labels, held.own_labels, account_id, ofOwn);
    note(places, held.places, account_id, word);
    note(places, held.own_places, account_id, ofOwn);
    if (share !== null) prices.set(account_id, word);
  }
  return { labels: leansOf(labels), places: leansOf(places), agents, prices: [...prices.values()] };
}

/** One taste that applies to a listing; `shift` is its own effect. */
interface TastePart {
  readonly kind: keyof typeof TASTE_BOUNDS;
  readonly what: string;
  readonly said: Said | null;
  readonly likes: number;
  readonly declines: number;
  readonly shift: number;
}

/** Rounds to four decimals, as scores are. */
function rounded(shift: number): number {
  return Math.round(shift * 10_000) / 10_000;
}

function partOf(kind: TastePart['kind'], what: string, lean: Lean, said: Said | null = null): TastePart {
  const { likes, declines, strength } = lean;
  return { kind, what, said, likes, declines, shift: rounded(TASTE_BOUNDS[kind] * strength) };
}

/** The strongest like and dislike among the names of a listing; names of the agent's own listing are not disliked. */
function strongest(
  kind: 'label' | 'place',
  leans: ReadonlyMap<string, Lean>,
  names: Iterable<string>,
  own: ReadonlySet<string>,
): TastePart[] {
  let up: TastePart | null = null;
  let down: TastePart | null = null;
  for (const name of names) {
    const lean = leans.get(name);
    if (!lean || lean.strength === 0) continue;
    const part = partOf(kind, name, lean);
    if (part.shift > (up?.shift ?? 0)) up = part;
    if (part.shift < (down?.shift ?? 0) && !own.has(name)) down = part;
  }
  return [up, down].filter((part) => part !== null);
}

/** A declined price also counts against equal and higher ones; an accepted one for equal and lower ones. */
function priceLean(prices: Leaning['prices'], share: number): Lean {
  return leanOf(prices.filter((word) => (isLike(word.said) ? word.share >= share : word.share <= share)));
}

/** The shift of a pair for its own agent, −TASTE_MAX to TASTE_MAX with four decimals, and its parts. */
export interface TasteShift {
  readonly shift: number;
  readonly parts: readonly TastePart[];
}

/** The shift of another's listing for an agent's own listing in the role of `leaning`. */
export function tasteShift(leaning: Leaning, own: TasteSide, other: TasteSide): TasteShift {
  const { labels, places, agents, prices } = leaning;
  const parts: TastePart[] = [];
  if (labels.size > 0) parts.push(...strongest('label', labels, other.labels, own.labels));
  if (places.size > 0) parts.push(...strongest('place', places, placesOf(other.geo), new Set(placesOf(own.geo))));
  const share = prices.length > 0 ? shareOf(own, other) : null;
  const price = share === null ? null : priceLean(prices, share);
  // A price is never a like: its fit is part of the score.
  if (price && price.strength < 0) parts.push(partOf('price', '', price));
  const agent = agents.get(other.agent_id);
  if (agent) parts.push(partOf('agent', other.agent_id, agent, agent.said));
  const sum = parts.reduce((total, part) => total + part.shift, 0);
  return { shift: rounded(Math.min(TASTE_MAX, Math.max(-TASTE_MAX, sum))), parts };
}

/** One learnt taste; `as` is null where it applies in every role. */
interface Learnt {
  readonly as: string | null;
  readonly part: TastePart;
}

/** The price from which the taste is negative: the lowest share of the budget with enough declines. */
function dearFrom(prices: Leaning['prices']): { share: number; lean: Lean } | null {
  const declined = prices.filter(({ said }) => !isLike(said)).map(({ share }) => share);
  for (const share of declined.toSorted((a, b) => a - b)) {
    const lean = priceLean(prices, share);
    if (lean.strength < 0) return { share, lean };
  }
  return null;
}

/** All learnt tastes, strongest first; those with too few answers have no effect yet and come last. */
export function learntOf(signals: readonly Signal[], now_ms: number): Learnt[] {
  const learnt: Learnt[] = [];
  for (const as of new Set(signals.map((signal) => signal.as).filter((each) => each !== ''))) {
    const { labels, places, prices } = leaningOf(signals, as, now_ms);
    for (const [what, lean] of labels) learnt.push({ as, part: partOf('label', what, lean) });
    for (const [what, lean] of places) learnt.push({ as, part: partOf('place', what, lean) });
    const dear = dearFrom(prices);
    if (dear) learnt.push({ as, part: partOf('price', `${Math.round(dear.share * 100)}%`, dear.lean) });
  }
  for (const [agent_id, lean] of leaningOf(signals, '', now_ms).agents) {
    learnt.push({ as: null, part: partOf('agent', agent_id, lean, lean.said) });
  }
  const weight = ({ part }: Learnt): number => Math.abs(part.shift) * 1_000 + part.likes + part.declines;
  return learnt.toSorted((a, b) => weight(b) - weight(a) || (a.part.what < b.part.what ? -1 : 1));
}

const isLiked = ({ shift, likes, declines }: TastePart): boolean => shift > 0 || (shift === 0 && likes >= declines);

// An agent's own taste as text, for the agent alone: on request, and as a reason of a match.

/** The agent's answers as text. `which` names an agent or a price outside the context of a match. */
function answered(part: TastePart, which: { readonly agent: string; readonly price: string }): string {
  const { kind, what, said, likes, declines } = part;
  const liked = isLiked(part);
  const count = liked ? `you were interested in ${likes}` : `you declined ${declines}`;
  switch (kind) {
    case 'label':
      return `${count} that name ${what}`;
    case 'place':
      return `${count} in ${spokenPlace(what)}${liked ? '' : ' for the place'}`;
    case 'price':
      return `${count} for a price ${which.price}`;
    case 'agent':
      return said === 'blocked' ? `you block ${which.agent}` : `you said that you do not trust ${which.agent}`;
    default:
      return assertNever(kind);
  }
}

function outcome({ shift }: TastePart): string {
  return shift > 0 ? 'shown earlier' : 'shown later';
}

/** A reason for each taste that shifts a pair, the strongest first. */
export function tasteReasons({ parts }: Pick<TasteShift, 'parts'>): ReasonOf<'taste'>[] {
  const strongest = parts.toSorted((a, b) => Math.abs(b.shift) - Math.abs(a.shift));
  return strongest.map((part) => {
    const { kind: about, what, said, likes, declines, shift } = part;
    const liked = isLiked(part);
    const named = about === 'label' || about === 'place';
    return {
      code: 'taste',
      about,
      what: named ? what : '',
      answers: about === 'agent' ? 0 : liked ? likes : declines,
      liked,
      blocked: said === 'blocked',
      earlier: shift > 0,
    };
  });
}

/** The text of one learnt taste, outside a match; for an agent `what` is its handle here. */
export function tasteText(part: TastePart): string {
  const { what, likes, declines, shift } = part;
  const text = answered(part, { agent: `@${what}`, price: `of ${what} of the budget and above` });
  if (shift !== 0) return `${text}: ${outcome(part)}`;
  const few = Math.max(likes, declines) < ALIKE_MIN;
  return `${text}: moves nothing, since it ${few ? 'is too little yet' : 'speaks for and against'}`;
}
