// What an agent's answers to matches are held as, to learn its taste from: each with those facts of the other listing that
// the answer speaks of, and no others. Only the agent's own answers are held, and only for itself.
import type { CardType, Direction } from '../listing/listing.ts';
import { comparePrices } from '../listing/price.ts';
import type { GeoNorm } from '../place/geo.ts';
import { orderPair } from './match.ts';
import type { MatchSide } from './side.ts';

/** Answers that are held of an agent; the oldest go first. With their facts they take some 20 KB, written at each answer. */
export const ANSWERS_MAX = 100;
/** Labels and places kept of one listing. One that names more of them says of none that it was the reason. */
const LABELS_KEPT = 12;
const PLACES_KEPT = 4;

/** What an answer may say of taste: of what was good, or by its chip of what was not. */
export const SAID = [
  'interested',
  'saved',
  'skills',
  'not_relevant',
  'location',
  'price',
  'not_trusted',
  'blocked',
] as const;
export type Said = (typeof SAID)[number];

/** One answer, with those facts of the other listing that it speaks of. */
export interface Signal {
  /** The match, or `agent:<id>` for a block; a later answer about the same takes the place of the earlier. */
  readonly about: string;
  readonly said: Said;
  readonly at: number;
  /** Card type and direction of one's own listing. What one declines as a buyer says nothing of what one seeks as a seller. */
  readonly as: string;
  readonly agent_id: string;
  readonly account_id: string;
  /** What the other listing names and one's own does not, and what both do. */
  readonly labels: readonly string[];
  readonly own_labels: readonly string[];
  readonly places: readonly string[];
  readonly own_places: readonly string[];
  /** The price as a share of the budget, 0 to 1; null where the two name no amounts of one kind. */
  readonly share: number | null;
}

/** What of a listing tastes are about. */
export type TasteSide = Pick<
  MatchSide,
  'id' | 'agent_id' | 'account_id' | 'card_type' | 'direction' | 'labels' | 'prices' | 'geo'
>;

const CHIPS: readonly string[] = ['skills', 'not_relevant', 'location', 'price', 'not_trusted'] satisfies Said[];

/** What an answer to a match says of taste; null for chips that name nothing of the listing, and for one's own words. */
export function saidBy(action: string, reason: string | null): Said | null {
  if (action === 'interested' || action === 'saved') return action;
  const chip = action === 'not_a_fit' && reason !== null && CHIPS.includes(reason);
  return chip ? (reason as Said) : null;
}

/** Under which a block stands among the signals. */
export function aboutAgent(agent_id: string): string {
  return `agent:${agent_id}`;
}

/** As what a listing acts: its card type and direction. */
export function actsAs({ card_type, direction }: { card_type: CardType; direction: Direction }): string {
  return `${card_type} ${direction}`;
}

/** The codes and cities that a listing names, where they can have been a reason at all. */
export function placesOf({ countries, regions, cities, remote, global }: GeoNorm): readonly string[] {
  // Where the work can be done from anywhere, no place was the reason.
  if (remote || global) return [];
  const places = [...countries, ...regions, ...cities];
  return places.length > PLACES_KEPT ? [] : places;
}

/** The price as a share of the budget, 0 to 1; null where the two name no amounts of one kind. */
export function shareOf(own: TasteSide, other: TasteSide): number | null {
  const { offer, seek } = orderPair(own, other);
  const fit = comparePrices(offer.prices, seek.prices);
  if (!fit || fit.budget.cents <= 0) return null;
  return Math.round((fit.price.cents / fit.budget.cents) * 100) / 100;
}

/** Whether an answer says that it was good. */
export function isLike(said: Said): boolean {
  return said === 'interested' || said === 'saved';
}

/** The answer as it is held: of the other listing only what the answer speaks of. */
export function signalOf(
  answer: { readonly about: string; readonly said: Said; readonly at: number },
  own: TasteSide,
  other: TasteSide,
): Signal {
  const { said } = answer;
  const like = isLike(said);
  const ofLabels = like || said === 'skills' || said === 'not_relevant';
  const labels = ofLabels ? [...other.labels].slice(0, LABELS_KEPT) : [];
  const places = like || said === 'location' ? placesOf(other.geo) : [];
  const mine = new Set<string>(placesOf(own.geo));
  return {
    ...answer,
    as: actsAs(own),
    agent_id: other.agent_id,
    account_id: other.account_id,
    labels: labels.filter((label) => !own.labels.has(label)),
    own_labels: labels.filter((label) => own.labels.has(label)),
    places: places.filter((place) => !mine.has(place)),
    own_places: places.filter((place) => mine.has(place)),
    share: like || said === 'price' ? shareOf(own, other) : null,
  };
}

/** A block as it is held: it speaks of that agent alone. */
export function blockSignal(agent_id: string, account_id: string, at: number): Signal {
  const nothing = { labels: [], own_labels: [], places: [], own_places: [], share: null };
  return { about: aboutAgent(agent_id), said: 'blocked', at, as: '', agent_id, account_id, ...nothing };
}

/**
 * The signals with what was now said `about` a match or an agent; null takes back what was said of it. The same said again
 * changes nothing, not even its age, and the very same array comes back.
 */
export function learn(signals: readonly Signal[], about: string, signal: Signal | null): readonly Signal[] {
  const before = signals.find((held) => held.about === about);
  if ((before?.said ?? null) === (signal?.said ?? null)) return signals;
  const others = signals.filter((held) => held.about !== about);
  const all = signal ? [...others, signal] : others;
  // Sorted, so that two answers in the same moment leave the same whichever is written first.
  return all.toSorted((a, b) => a.at - b.at || (a.about < b.about ? -1 : 1)).slice(-ANSWERS_MAX);
}
