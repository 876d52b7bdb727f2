// Why candidates of a listing are no matches, and what its owner could change (rules.md 6, explain). It discloses counts
// and public facts of live listings only: agents outside the public lists are only counted, and pairs excluded by a block,
// by a common account or by a hidden side are left out.
import { metDealbreaker } from '../listing/conditions.ts';
import { comparePrices, moneyText, nearestBudget, nearestPrice, type Price } from '../listing/price.ts';
import { countryName } from '../place/country.ts';
import { orderPair, type PairFacts, type Refusal, scoreMatch } from './match.ts';
import type { MatchSide } from './side.ts';

/** The disclosed rules, in the order of display. */
export const MISSING_RULES = ['geography', 'price', 'dealbreaker', 'rank', 'declined', 'floor'] as const;
type MissingRule = (typeof MISSING_RULES)[number];

/** An excluded candidate, with the one change that would include it. */
export interface Lack {
  readonly rule: MissingRule;
  /** Naming one of these countries, or remote work, would include it. */
  readonly places?: readonly string[];
  /** The change of price or budget, for the price's period, that would include it. */
  readonly gap?: Price;
  /** The own dealbreakers that it meets. */
  readonly phrases?: readonly string[];
  /** The listing meets one of its public dealbreakers. */
  readonly theirs?: boolean;
}

/** Whether the other side's listing is public. */
function isPublic({ visibility }: MatchSide): boolean {
  return visibility === 'listed';
}

/** Why the pair is refused, or null. */
function refusalOf(own: MatchSide, other: MatchSide, facts: PairFacts): Refusal | null {
  const result = scoreMatch(own, other, facts);
  return 'refused' in result ? result.refused : null;
}

function geographyLack(own: MatchSide, other: MatchSide, facts: PairFacts): Lack {
  const rule = 'geography';
  const refused = refusalOf({ ...own, geo: { ...own.geo, remote: true } }, other, facts);
  if (refused === 'below_minimum') return { rule: 'floor' };
  if (refused !== null || !isPublic(other)) return { rule };
  // Any common country has the same effect.
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
  // If a side is firm, only an equal amount includes it.
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
  // Dealbreakers of listings that are not public are not disclosed.
  return isPublic(other) ? { rule, theirs: true } : null;
}

/** Why a candidate is excluded, as far as `own`'s owner may know; null where they may not. */
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

// The excluded candidates of a listing, counted by rule, each with a sentence on what its owner could change. The figures
// in the sentences cover the candidates that were compared.

/** Candidates that a rule excluded, and what could be changed. */
interface Missing {
  readonly rule: MissingRule;
  readonly count: number;
  readonly change: string;
}

/** The compared candidates of a listing, and those missing among its matches. */
export interface Explained {
  readonly considered: number;
  readonly missing: Missing[];
}

/** Places and dealbreakers named in one sentence, those that exclude most. */
const NAMED_MAX = 3;

/** The names of a list with their frequency, the most frequent first. */
function countNames(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, NAMED_MAX);
}

function placesText(lacks: readonly Lack[]): string {
  const near = lacks.flatMap(({ places }) => (places ? [places] : []));
  if (near.length === 0) return 'They are in other places, and naming one of these alone would bring none of them in.';
  const countries = countNames(near.flat()).map(([code, n]) => `, ${countryName(code) ?? code} (${code}) ${n}`);
  return `They are in other places. Naming remote in geo would bring in ${near.length}${countries.join('')}.`;
}

/** The gaps of the most frequent period, smallest first. */
function widestGaps(lacks: readonly Lack[]): Price[] {
  const gaps = lacks.flatMap(({ gap }) => (gap ? [gap] : []));
  const [[period] = []] = countNames(gaps.map((gap) => gap.period));
  return gaps.filter((gap) => gap.period === period).sort((a, b) => a.cents - b.cents);
}

function pricesText(own: MatchSide, lacks: readonly Lack[]): string {
  const seeks = own.direction === 'seek';
  const apart = seeks ? 'They cost more than the budget' : 'Their budgets are below the price';
  const gaps = widestGaps(lacks);
  const [near, far] = [gaps[Math.ceil(gaps.length / 2) - 1], gaps.at(-1)];
  if (!near || !far) return `${apart}, and another one alone would bring in none whose price is public.`;
  const change = (gap: Price): string => `${seeks ? 'budget higher' : 'price lower'} by ${moneyText(gap)}`;
  const within = gaps.filter(({ cents }) => cents <= near.cents).length;
  const all = far.cents > near.cents ? `, a ${change(far)} ${gaps.length}` : '';
  return `${apart}. A ${change(near)} would bring in ${within}${all}.`;
}

function dealbreakersText(lacks: readonly Lack[]): string {
  const phrases = countNames(lacks.flatMap((lack) => lack.phrases ?? []));
  const theirs = lacks.filter((lack) => lack.theirs).length;
  const own = phrases.map(([phrase, n]) => `“${phrase}” keeps ${n} apart`).join(', ');
  return [
    ...(own === '' ? [] : [`Of your dealbreakers ${own}.`]),
    ...(theirs === 0 ? [] : [`${theirs} name among their own what your listing says.`]),
  ].join(' ');
}

function changeText(own: MatchSide, rule: MissingRule, lacks: readonly Lack[]): string {
  switch (rule) {
    case 'geography':
      return placesText(lacks);
    case 'price':
      return pricesText(own, lacks);
    case 'dealbreaker':
      return dealbreakersText(lacks);
    case 'rank':
      return 'Nothing: they fit, but better ones fill the places of this listing and theirs.';
    case 'declined':
      return 'Nothing: a pair of listings that a side declined is not matched again.';
    case 'floor':
      return own.labels.size === 0
        ? 'They have too little in common with this listing. It has no labels: naming some may bring them nearer.'
        : 'They have too little in common with this listing. Other labels, or a text that says more, may bring them nearer.';
  }
}

/** The rules that excluded candidates of a listing, with counts. */
export function missingOf(own: MatchSide, lacks: readonly Lack[]): Missing[] {
  return MISSING_RULES.flatMap((rule) => {
    const such = lacks.filter((lack) => lack.rule === rule);
    return such.length === 0 ? [] : [{ rule, count: such.length, change: changeText(own, rule, such) }];
  });
}

/** The sum over several listings; each rule has the sentence of the listing where it excluded most. */
export function sumExplained(listings: readonly (Explained & { readonly headline: string })[]): Explained {
  const missing = MISSING_RULES.flatMap((rule) => {
    const such = listings.flatMap(({ headline, missing }) => {
      const found = missing.find((each) => each.rule === rule);
      return found ? [{ ...found, headline }] : [];
    });
    const [most, ...others] = such.sort((a, b) => b.count - a.count);
    if (!most) return [];
    const { count, change, headline } = most;
    if (others.length === 0) return [{ rule, count, change }];
    const sum = such.reduce((all, each) => all + each.count, 0);
    return [{ rule, count: sum, change: `Of ${such.length} listings “${headline}” misses most, ${count}. ${change}` }];
  });
  return { considered: listings.reduce((sum, { considered }) => sum + considered, 0), missing };
}
