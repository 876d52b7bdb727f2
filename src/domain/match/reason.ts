// The reasons of a match, one for each piece of evidence. They are stored as a code with values and side-neutral, since both owners see
// the same list (rules.md 6), and become text when they are shown: by reason-clause.ts for the API, by `src/domain/words` for people.

import type { CardType } from '../listing/listing.ts';
import type { PriceFit, PricePeriod } from '../listing/price.ts';
import type { GeoMeeting } from '../place/geo.ts';
import type { MatchSide } from './side.ts';

/** The names of a pair's amounts: a price and a budget, asked pay and a budget, a ticket and a round. */
export const AMOUNT_NAMES = ['price', 'pay', 'ticket'] as const;

/** The values of each reason code. */
interface ReasonValues {
  readonly shared_labels: Labels;
  readonly preferred_labels: Labels;
  /** Of the two texts; 1 for equal texts. */
  readonly close_meaning: { readonly closeness: number };
  readonly shared_words: object;
  readonly price_within: Amounts;
  readonly price_above: Amounts;
  readonly same_place: Place;
  readonly covered_place: Place;
  readonly remote: object;
  readonly worldwide: object;
  readonly both_trusted: { readonly trust_score: number };
  readonly both_quick: object;
  readonly taste: Taste;
}

interface Labels {
  readonly labels: readonly string[];
  /** The number of further ones. */
  readonly more: number;
}

interface Amounts {
  readonly amount: (typeof AMOUNT_NAMES)[number];
  readonly price_cents: number;
  readonly budget_cents: number;
  readonly period: PricePeriod;
}

/** A folded city, or the code of a region or country. */
interface Place {
  readonly place: string;
}

/** The effect of the reader's own answers on a pair. */
interface Taste {
  readonly about: 'label' | 'place' | 'price' | 'agent';
  /** The label or place; empty for the price and the agent at hand. */
  readonly what: string;
  /** The number of matches with this answer; 0 where it is about the agent. */
  readonly answers: number;
  readonly liked: boolean;
  readonly blocked: boolean;
  /** Whether it moves the match up, or down. */
  readonly earlier: boolean;
}

export type ReasonOf<C extends keyof ReasonValues> = { readonly code: C } & ReasonValues[C];

/** A stored reason. */
export type Reason = { readonly [C in keyof ReasonValues]: ReasonOf<C> }[keyof ReasonValues];

/** The reader's side of the pair; null where unknown. */
export type ReaderSide = 'offer' | 'seek' | null;

/** The reasons in a language: one text for each code. */
export type ReasonWords = {
  readonly [C in keyof ReasonValues]: (reason: ReasonOf<C>, side: ReaderSide) => string;
};

/** The text of a reason for a person. */
export function reasonText(words: ReasonWords, reason: Reason, side: ReaderSide): string {
  const text: (reason: never, side: ReaderSide) => string = words[reason.code];
  return text(reason as never, side);
}

/** The evidence behind a score; each number is 0 to 1. */
export interface Evidence {
  readonly shared: readonly string[];
  readonly labels: number;
  readonly cosine: number | null;
  readonly text: number;
  readonly price: PriceFit | null;
  readonly geo: GeoMeeting;
  readonly preferred: readonly string[];
  readonly preferences: number | null;
}

/** Labels named in one clause; more would hide the other reasons. */
const MAX_NAMED = 4;
/** The least text closeness that is a reason. */
const WORTH_SAYING = 0.15;
/** The trust score on both sides that is a reason. */
const WELL_TRUSTED = 60;

function placeReason({ geo }: Evidence, a: MatchSide, b: MatchSide): Reason | null {
  switch (geo.by) {
    case 'city':
      return { code: 'same_place', place: a.geo.cities.find((name) => b.geo.cities.includes(name)) ?? '' };
    case 'region':
      return { code: 'same_place', place: a.geo.regions.find((name) => b.geo.regions.includes(name)) ?? '' };
    case 'country': {
      // An agent in several countries is not described as being in this one.
      const many = a.geo.countries.length > 1 || b.geo.countries.length > 1;
      const place = a.geo.countries.find((country) => b.geo.countries.includes(country)) ?? '';
      return { code: many ? 'covered_place' : 'same_place', place };
    }
    case 'remote':
      return { code: a.geo.remote || b.geo.remote ? 'remote' : 'worldwide' };
    case 'unknown':
    case 'apart':
      return null;
  }
}

// By the offer's card type.
const AMOUNTS: Partial<Record<CardType, (typeof AMOUNT_NAMES)[number]>> = { job_seeking: 'pay', investing: 'ticket' };

function priceReason({ price: fit }: Evidence, offer: MatchSide): Reason | null {
  if (!fit || fit.price.period === 'unit') return null;
  return {
    code: fit.within ? 'price_within' : 'price_above',
    amount: AMOUNTS[offer.card_type] ?? 'price',
    price_cents: fit.price.cents,
    budget_cents: fit.budget.cents,
    period: fit.price.period,
  };
}

const labelReason = (code: 'shared_labels' | 'preferred_labels', names: readonly string[]): Reason | null =>
  names.length === 0 ? null : { code, labels: names.slice(0, MAX_NAMED), more: Math.max(0, names.length - MAX_NAMED) };

/** Without vectors, the texts are close by their words alone. */
function textReason(cosine: number): Reason {
  return cosine > 0 ? { code: 'close_meaning', closeness: Math.round(cosine * 100) / 100 } : { code: 'shared_words' };
}

/** The reasons, strongest evidence first; never empty, since a match has shared labels or close texts. */
export function matchReasons(evidence: Evidence, offer: MatchSide, seek: MatchSide): Reason[] {
  const { cosine, text } = evidence;
  const named = labelReason('shared_labels', evidence.shared);
  const near = cosine !== null && text >= WORTH_SAYING ? textReason(cosine) : null;
  const first = evidence.labels >= text ? [named, near] : [near, named];
  const trust_score = Math.min(offer.trust_score, seek.trust_score);
  const quick = offer.responsiveness === 'fast' && seek.responsiveness === 'fast';
  return [
    ...first,
    priceReason(evidence, offer),
    placeReason(evidence, offer, seek),
    labelReason('preferred_labels', evidence.preferred),
    trust_score >= WELL_TRUSTED ? ({ code: 'both_trusted', trust_score } as const) : null,
    quick ? ({ code: 'both_quick' } as const) : null,
  ].filter((reason) => reason !== null);
}

/** The order of importance for people: money, place, work; closeness of texts and trust come last. */
const DECIDING: Readonly<Record<Reason['code'], number>> = {
  price_above: 0,
  price_within: 1,
  same_place: 2,
  shared_labels: 3,
  preferred_labels: 4,
  covered_place: 5,
  taste: 6,
  remote: 7,
  worldwide: 8,
  shared_words: 9,
  close_meaning: 10,
  both_trusted: 11,
  both_quick: 12,
};

export function decidingFirst(reasons: readonly Reason[]): Reason[] {
  return reasons.toSorted((a, b) => DECIDING[a.code] - DECIDING[b.code]);
}
