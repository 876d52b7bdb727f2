// The pure part of the matching engine: whether two listings may match at all, and their score, 0 to 1, with reasons for
// people (rules.md 6). The formula, all terms 0 to 1:
//
//   relevance = 1 − (1 − LABEL_PULL × labels) × (1 − TEXT_PULL × text)
//   fit       = Σ FIT_WEIGHTS[x] × x     over price, geo, preferences, trust, responsiveness
//   score     = relevance × (FIT_FLOOR + (1 − FIT_FLOOR) × fit)

import { metDealbreaker } from '../listing/conditions.ts';
import type { CardType, Direction } from '../listing/listing.ts';
import { comparePrices, distanceOf, type PriceFit } from '../listing/price.ts';
import { geoMeets } from '../place/geo.ts';
import { type Evidence, matchReasons, type Reason } from './reason.ts';
import type { MatchSide } from './side.ts';

/** The relevance of full label overlap alone. Below 1: equal labels can still mean different work. */
const LABEL_PULL = 0.85;
/** The relevance of full closeness in meaning alone; above labels, since a text says more than a few names. */
const TEXT_PULL = 0.9;
/**
 * The weight of closeness in words beside closeness in meaning. Measured with scripts/quality on real texts: it improves
 * the ranking by 12 % (7 % where only the 24 nearest are compared so), hardly more with a greater weight.
 */
const WORDING_PULL = 1.5;
/** The closeness that counts in full; linear from the floor. */
const CLOSENESS_FULL = 1;

/** The share of a relevant pair's score when nothing else fits: relevance decides, the rest only orders. */
const FIT_FLOOR = 0.7;
/** The parts of fit; they sum to 1. An unknown part counts NEUTRAL, so that missing data neither helps nor hurts. */
export const FIT_WEIGHTS = { price: 0.35, geo: 0.25, preferences: 0.2, trust: 0.12, responsiveness: 0.08 } as const;
const NEUTRAL = 0.5;

/**
 * Pairs below are not matches: their texts are hardly closer than unrelated ones, and they share no label. Above it only a
 * listing's best pairs count, so it is just high enough that the median listing has no more matches than its own best
 * (scripts/quality, on the half for choosing weights).
 */
export const MIN_SCORE = 0.05;

/** The fit of a price at the budget; at half of it or less the fit is full. */
const AT_BUDGET = 0.7;
/** The fit of a price just above the budget; at the end of the range of negotiation it is 0. */
const ABOVE_BUDGET = 0.4;

const RESPONSE_FIT = { fast: 1, hours: 0.7, days: 0.4, silent: 0 } as const;

/** Facts of a pair beside its two sides. */
export interface PairFacts {
  /** Cosine similarity of the two vectors, −1 to 1; null while one is missing: then labels alone decide. */
  readonly cosine: number | null;
  /** The closeness of unrelated texts in the vectors' model. */
  readonly floor: number;
  /** Closeness in words, 0 to 1; 0 when not compared. */
  readonly wording?: number;
  /** This pair of listings was declined before (questions.md 49). */
  readonly declined?: boolean;
  /** One of the two agents has blocked the other. */
  readonly blocked?: boolean;
  /** The weight of a label, above 0 to 1: 1 for a rare one. Without it all labels count 1. */
  readonly rarity?: (label: string) => number;
}

/** Why two listings never match. */
export type Refusal =
  | 'type'
  | 'own_account'
  | 'hidden'
  | 'blocked'
  | 'declined'
  | 'geography'
  | 'price'
  | 'dealbreaker'
  | 'below_minimum';

export type MatchResult =
  | { readonly score: number; readonly reasons: readonly Reason[] }
  | { readonly refused: Refusal };

// The counterpart of each card type; the last three pair with themselves.
const COUNTERPART = {
  selling: 'buying',
  buying: 'selling',
  hiring: 'job_seeking',
  job_seeking: 'hiring',
  fundraising: 'investing',
  investing: 'fundraising',
  partnering: 'partnering',
  link_building: 'link_building',
  link_exchange: 'link_exchange',
} as const satisfies Record<CardType, CardType>;

/** The counterpart of a listing, for finding candidates; `direction` is null where either is legal. */
export function counterpartOf(listing: { card_type: CardType; direction: Direction }): {
  card_type: CardType;
  direction: Direction | null;
} {
  const card_type = COUNTERPART[listing.card_type];
  if (card_type === 'partnering' || card_type === 'link_exchange') return { card_type, direction: null };
  return { card_type, direction: listing.direction === 'offer' ? 'seek' : 'offer' };
}

/** Whether two listings' types and directions pair (questions.md 35). Symmetric. */
function typesPair(a: MatchSide, b: MatchSide): boolean {
  const wanted = counterpartOf(a);
  return b.card_type === wanted.card_type && (wanted.direction === null || b.direction === wanted.direction);
}

/**
 * Which of a pair is stored and scored as the offer. Where both have the same direction (partners, link exchanges), the one
 * with the smaller id is, so that a pair has one canonical order.
 */
export function orderPair<T extends { id: string; direction: Direction }>(a: T, b: T): { offer: T; seek: T } {
  const first = a.direction === b.direction ? a.id <= b.id : a.direction === 'offer';
  return first ? { offer: a, seek: b } : { offer: b, seek: a };
}

/** Labels with at most so many uses count in full, since in a young network each one is distinctive. */
const FEW_USES = 20;
/** A label of one listing in so many counts in full, one of all listings LEAST_RARITY; logarithmic between. */
const RARE_SHARE = 1000;
const LEAST_RARITY = 0.1;

/** The weight of a shared label, for PairFacts.rarity: `uses` of `listings` live listings have it. */
export function labelRarity(uses: number, listings: number): number {
  if (uses <= FEW_USES) return 1;
  const rarity = Math.log(Math.max(1, listings / uses)) / Math.log(RARE_SHARE);
  return Math.min(1, Math.max(LEAST_RARITY, rarity));
}

/** Closeness of two texts, 0 to 1: in meaning (the cosine) and in words together, above the floor of their model; 0 without vectors. */
export function textCloseness(floor: number, cosine: number | null, wording = 0): number {
  if (cosine === null) return 0;
  const closeness = cosine + WORDING_PULL * wording;
  return Math.min(1, Math.max(0, (closeness - floor) / (CLOSENESS_FULL - floor)));
}

function sharedLabels(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  const shared: string[] = [];
  for (const label of small) if (large.has(label)) shared.push(label);
  return shared;
}

/**
 * Closeness in labels, 0 to 1, from the summed weights of shared labels. Each shared label halves the distance to 1, a
 * common one less. Dividing by the lengths of the lists ranked real listings worse: a long list mostly shows diligence, not vagueness.
 */
export function labelCloseness(telling: number): number {
  return telling > 0 ? 1 - 0.5 ** telling : 0;
}

/** The relevance of a pair from its closeness in labels and texts, 0 to 1. No score exceeds it. */
export function relevanceOf(labels: number, text: number): number {
  return 1 - (1 - LABEL_PULL * labels) * (1 - TEXT_PULL * text);
}

function labelOverlap(shared: readonly string[], rarity: PairFacts['rarity']): number {
  return labelCloseness(rarity ? shared.reduce((sum, label) => sum + rarity(label), 0) : shared.length);
}

// The share of one side's weighted preferences that the other side's labels meet.
function preferenceFit(a: MatchSide, b: MatchSide): { fit: number | null; met: string[] } {
  let total = 0;
  let weight_met = 0;
  const met: string[] = [];
  for (const [own, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const { label, weight } of own.preferences) {
      total += weight;
      if (!other.labels.has(label)) continue;
      weight_met += weight;
      if (!met.includes(label)) met.push(label);
    }
  }
  return { fit: total > 0 ? weight_met / total : null, met };
}

function priceFit(price: PriceFit | null): number {
  if (!price) return NEUTRAL;
  if (!price.within) return ABOVE_BUDGET * (1 - distanceOf(price));
  const share = price.budget.cents > 0 ? price.price.cents / price.budget.cents : 1;
  return AT_BUDGET + (1 - AT_BUDGET) * Math.min(1, (1 - share) * 2);
}

function fitOf(evidence: Evidence, a: MatchSide, b: MatchSide): number {
  const response = (side: MatchSide): number => (side.responsiveness ? RESPONSE_FIT[side.responsiveness] : NEUTRAL);
  return (
    FIT_WEIGHTS.price * priceFit(evidence.price) +
    FIT_WEIGHTS.geo * evidence.geo.strength +
    FIT_WEIGHTS.preferences * (evidence.preferences ?? NEUTRAL) +
    (FIT_WEIGHTS.trust * (a.trust_score + b.trust_score)) / 200 +
    (FIT_WEIGHTS.responsiveness * (response(a) + response(b))) / 2
  );
}

/** The hard filters, cheapest first; null when the pair may match. */
function refusal(offer: MatchSide, seek: MatchSide, facts: PairFacts): Refusal | null {
  if (!typesPair(offer, seek)) return 'type';
  if (offer.account_id === seek.account_id) return 'own_account';
  if (offer.visibility === 'hidden' || seek.visibility === 'hidden') return 'hidden';
  if (facts.blocked) return 'blocked';
  if (facts.declined) return 'declined';
  return null;
}

/**
 * Scores a pair given in either order; `{refused}` names the first filter that excludes it. The score is 0 to 1 with four
 * decimals, at least MIN_SCORE; reasons are the same for both sides, strongest first.
 */
export function scoreMatch(a: MatchSide, b: MatchSide, facts: PairFacts): MatchResult {
  const { offer, seek } = orderPair(a, b);
  const refused = refusal(offer, seek, facts);
  if (refused) return { refused };
  const geo = geoMeets(offer.geo, seek.geo);
  if (!geo.meets) return { refused: 'geography' };
  const price = comparePrices(offer.prices, seek.prices);
  if (price && !price.within && (!price.near || offer.firm || seek.firm)) return { refused: 'price' };

  const shared = sharedLabels(offer.labels, seek.labels);
  const labels = labelOverlap(shared, facts.rarity);
  const text = textCloseness(facts.floor, facts.cosine, facts.wording);
  const relevance = relevanceOf(labels, text);
  if (relevance < MIN_SCORE) return { refused: 'below_minimum' };
  const { fit: preferences, met: preferred } = preferenceFit(offer, seek);
  const evidence: Evidence = { shared, labels, cosine: facts.cosine, text, price, geo, preferred, preferences };
  const raw = relevance * (FIT_FLOOR + (1 - FIT_FLOOR) * fitOf(evidence, offer, seek));
  const score = Math.round(raw * 10_000) / 10_000;
  if (score < MIN_SCORE) return { refused: 'below_minimum' };
  // Last, because only here may a counterpart's whole text have to be folded.
  const broken = metDealbreaker(offer.dealbreakers, seek.haystack) ?? metDealbreaker(seek.dealbreakers, offer.haystack);
  return broken ? { refused: 'dealbreaker' } : { score, reasons: matchReasons(evidence, offer, seek) };
}
