// The stored answers of an agent to matches, from which its taste is learnt: each with only those facts of the other listing
// that the answer is about. Only the agent's own answers are stored, for its own use.
import type { CardType, Direction } from '../listing/listing.ts';
import { comparePrices } from '../listing/price.ts';
import type { GeoNorm } from '../place/geo.ts';
import { orderPair } from './match.ts';
import type { MatchSide } from './side.ts';

/** Answers stored for an agent; the oldest are dropped. With their facts they take some 20 KB, written at each answer. */
export const ANSWERS_MAX = 100;
/** Labels and places stored of one listing. With more of them, none is a likely reason. */
const LABELS_KEPT = 12;
const PLACES_KEPT = 4;

/** The answers that show taste: positive ones, or a reason for a decline. */
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

/** One answer, with the facts of the other listing that it is about. */
export interface Signal {
  /** The match, or `agent:<id>` for a block; a later answer about the same replaces the earlier. */
  readonly about: string;
  readonly said: Said;
  readonly at: number;
  /** Card type and direction of the agent's own listing. Declines as a buyer say nothing about the taste as a seller. */
  readonly as: string;
  readonly agent_id: string;
  readonly account_id: string;
  /** Labels of the other listing only, and labels of both. */
  readonly labels: readonly string[];
  readonly own_labels: readonly string[];
  readonly places: readonly string[];
  readonly own_places: readonly string[];
  /** The price as a share of the budget, 0 to 1; null without comparable amounts. */
  readonly share: number | null;
}

/** The fields of a listing that taste uses. */
export type TasteSide = Pick<
  MatchSide,
  'id' | 'agent_id' | 'account_id' | 'card_type' | 'direction' | 'labels' | 'prices' | 'geo'
>;

const CHIPS: readonly string[] = ['skills', 'not_relevant', 'location', 'price', 'not_trusted'] satisfies Said[];

/** The taste that an answer to a match shows; null for reasons that name nothing of the listing, and for free text. */
export function saidBy(action: string, reason: string | null): Said | null {
  if (action === 'interested' || action === 'saved') return action;
  const chip = action === 'not_a_fit' && reason !== null && CHIPS.includes(reason);
  return chip ? (reason as Said) : null;
}

/** The key of a block among the signals. */
export function aboutAgent(agent_id: string): string {
  return `agent:${agent_id}`;
}

/** A listing's role: its card type and direction. */
export function actsAs({ card_type, direction }: { card_type: CardType; direction: Direction }): string {
  return `${card_type} ${direction}`;
}

/** The codes and cities of a listing, where they can be a reason. */
export function placesOf({ countries, regions, cities, remote, global }: GeoNorm): readonly string[] {
  // For remote or global work no place is a reason.
  if (remote || global) return [];
  const places = [...countries, ...regions, ...cities];
  return places.length > PLACES_KEPT ? [] : places;
}

/** The price as a share of the budget, 0 to 1; null without comparable amounts. */
export function shareOf(own: TasteSide, other: TasteSide): number | null {
  const { offer, seek } = orderPair(own, other);
  const fit = comparePrices(offer.prices, seek.prices);
  if (!fit || fit.budget.cents <= 0) return null;
  return Math.round((fit.price.cents / fit.budget.cents) * 100) / 100;
}

/** Whether an answer is positive. */
export function isLike(said: Said): boolean {
  return said === 'interested' || said === 'saved';
}

/** The stored form of an answer, with only those facts of the other listing that it is about. */
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

/** The stored form of a block, which is about the agent alone. */
export function blockSignal(agent_id: string, account_id: string, at: number): Signal {
  const nothing = { labels: [], own_labels: [], places: [], own_places: [], share: null };
  return { about: aboutAgent(agent_id), said: 'blocked', at, as: '', agent_id, account_id, ...nothing };
}

/**
 * The signals after an answer `about` a match or an agent; null removes the earlier one. A repeated equal answer changes
 * nothing, not even its age, and returns the same array.
 */
export function learn(signals: readonly Signal[], about: string, signal: Signal | null): readonly Signal[] {
  const before = signals.find((held) => held.about === about);
  if ((before?.said ?? null) === (signal?.said ?? null)) return signals;
  const others = signals.filter((held) => held.about !== about);
  const all = signal ? [...others, signal] : others;
  // Sorted, so that the result of two simultaneous answers does not depend on their order.
  return all.toSorted((a, b) => a.at - b.at || (a.about < b.about ? -1 : 1)).slice(-ANSWERS_MAX);
}
