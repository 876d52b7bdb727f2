// Why candidates of a listing are no matches of it, and what its owner could change about that (rules.md 6, explain). Told
// are counts and what is public of live listings, never what somebody keeps to itself: of who is out of the public
// lists only the count; whom a block, one account or a hidden side keeps apart is as if it were not there.
import { metDealbreaker } from '../listing/dealbreaker.ts';
import { comparePrices, nearestBudget, nearestPrice, type Price } from '../listing/price.ts';
import { orderPair, type PairFacts, type Refusal, scoreMatch } from './match.ts';
import type { MatchSide } from './side.ts';

/** The rules that are told, in the order in which they are shown. */
export const MISSING_RULES = ['geography', 'price', 'dealbreaker', 'rank', 'declined', 'floor'] as const;
export type MissingRule = (typeof MISSING_RULES)[number];

/** A candidate that is kept apart, with what a change of the one thing would do. */
export interface Lack {
  readonly rule: MissingRule;
  /** The countries of which naming one, or remote work, would bring it in. */
  readonly places?: readonly string[];
  /** How much cheaper or dearer, for the price's period, would bring it in. */
  readonly gap?: Price;
  /** The own dealbreakers that it meets. */
  readonly phrases?: readonly string[];
  /** One of its own, public dealbreakers is met by the listing. */
  readonly theirs?: boolean;
}

/** Whether everybody may read what the other side's listing says. */
function isPublic({ visibility }: MatchSide): boolean {
  return visibility === 'listed';
}

/** What keeps the pair apart; null where it fits. */
function refusalOf(own: MatchSide, other: MatchSide, facts: PairFacts): Refusal | null {
  const result = scoreMatch(own, other, facts);
  return 'refused' in result ? result.refused : null;
}

function geographyLack(own: MatchSide, other: MatchSide, facts: PairFacts): Lack {
  const rule = 'geography';
  const refused = refusalOf({ ...own, geo: { ...own.geo, remote: true } }, other, facts);
  if (refused === 'below_minimum') return { rule: 'floor' };
  if (refused !== null || !isPublic(other)) return { rule };
  // To share one country counts the same, whichever it is.
  const countries = [...own.geo.countries, ...other.geo.countries];
  const there = refusalOf({ ...own, geo: { ...own.geo, countries } }, other, facts) === null;
  return { rule, places: there ? other.geo.countries : [] };
}

function priceLack(own: MatchSide, other: MatchSide, facts: PairFacts): Lack {
  const rule = 'price';
  const { offer, seek } = orderPair(own, other);
  const over = comparePrices(offer.prices, seek.prices);
  if (!over) return { rule };
  const prices = [own === seek ? over.price : over.budget];
  const refused = refusalOf({ ...own, prices }, other, facts);
  if (refused === 'below_minimum') return { rule: 'floor' };
  if (refused !== null || !isPublic(other)) return { rule };
  // Where a side is firm only an equal amount brings it in.
  const firm = own.firm || other.firm;
  const budget = own === seek ? (firm ? over.price : nearestBudget(over.price)) : over.budget;
  const price = own === seek ? over.budget : firm ? over.budget : nearestPrice(over.budget);
  const [from, to] = own === seek ? [price.cents, budget.cents] : [price.cents, over.price.cents];
  return { rule, gap: { cents: to - from, period: over.price.period } };
}

function dealbreakerLack(own: MatchSide, other: MatchSide): Lack | null {
  const rule = 'dealbreaker';
  const met = own.dealbreakers.filter((each) => metDealbreaker([each], other.haystack) !== null);
  if (met.length > 0) return { rule, phrases: met.map(({ text }) => text) };
  // What others keep from the public they may also refuse without being asked why.
  return isPublic(other) ? { rule, theirs: true } : null;
}

/** What keeps a refused candidate apart, as far as `own`'s owner may know; null where it is not theirs to know. */
export function lackOf(own: MatchSide, other: MatchSide, facts: PairFacts, refused: Refusal): Lack | null {
  switch (refused) {
    case 'type':
    case 'own_account':
    case 'hidden':
    case 'blocked':
      return null;
    case 'declined':
      return { rule: 'declined' };
    case 'below_minimum':
      return { rule: 'floor' };
    case 'geography':
      return geographyLack(own, other, facts);
    case 'price':
      return priceLack(own, other, facts);
    case 'dealbreaker':
      return dealbreakerLack(own, other);
  }
}
