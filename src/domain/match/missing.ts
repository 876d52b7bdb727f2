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

// The excluded candidates of a listing, counted by rule, with what its owner could change: as values, of which the app makes texts, and
// as an English sentence for programs. The figures cover the candidates that were compared.

/** A name with the number of listings that it concerns. */
interface Counted {
  readonly name: string;
  readonly count: number;
}

/** What the owner could change; each rule has its own values. */
export interface MissingValues {
  readonly direction: MatchSide['direction'];
  /** geography: listings in other places that allowing remote work brings in, and the countries that bring in most. */
  readonly remote?: number;
  readonly countries?: Counted[];
  /** price: by how much, for the price's period, the own price or budget has to change, and how many listings that brings in. */
  readonly steps?: { readonly cents: number; readonly period: Price['period']; readonly count: number }[];
  /** dealbreaker: the own ones that exclude most, and the listings whose dealbreakers exclude this one. */
  readonly phrases?: Counted[];
  readonly theirs?: number;
  /** floor: whether the listing has labels. */
  readonly labelled?: boolean;
  /** Of several listings, the one where the rule excludes most. */
  readonly most?: { readonly headline: string; readonly count: number; readonly listings: number };
}

/** Candidates that a rule excluded, and what could be changed. */
interface Missing {
  readonly rule: MissingRule;
  readonly count: number;
  readonly change: string;
  readonly values: MissingValues;
}

/** The compared candidates of a listing, and those missing among its matches. */
export interface Explained {
  readonly considered: number;
  readonly missing: Missing[];
}

/** Places and dealbreakers named, those that exclude most. */
const NAMED_MAX = 3;

/** The most frequent names of a list. */
function countNames<T extends string>(names: readonly T[]): { readonly name: T; readonly count: number }[] {
  const counts = new Map<T, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const counted = [...counts].map(([name, count]) => ({ name, count }));
  return counted.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, NAMED_MAX);
}

/** The change that brings in half of the listings of the most frequent period, and the one that brings in all. */
function priceSteps(lacks: readonly Lack[]): NonNullable<MissingValues['steps']> {
  const gaps = lacks.flatMap(({ gap }) => (gap ? [gap] : []));
  const period = countNames(gaps.map((gap) => gap.period))[0]?.name;
  const cents = gaps
    .filter((gap) => gap.period === period)
    .map((gap) => gap.cents)
    .sort((a, b) => a - b);
  const [half, all] = [cents[Math.ceil(cents.length / 2) - 1], cents.at(-1)];
  if (period === undefined || half === undefined || all === undefined) return [];
  const steps = all > half ? [half, all] : [half];
  return steps.map((step) => ({ cents: step, period, count: cents.filter((each) => each <= step).length }));
}

function valuesOf({ direction, labels }: MatchSide, rule: MissingRule, lacks: readonly Lack[]): MissingValues {
  const near = lacks.flatMap(({ places }) => (places ? [places] : []));
  switch (rule) {
    case 'geography':
      return { direction, remote: near.length, countries: countNames(near.flat()) };
    case 'price':
      return { direction, steps: priceSteps(lacks) };
    case 'dealbreaker': {
      const theirs = lacks.filter((lack) => lack.theirs).length;
      return { direction, phrases: countNames(lacks.flatMap((lack) => lack.phrases ?? [])), theirs };
    }
    case 'floor':
      return { direction, labelled: labels.size > 0 };
    default:
      return { direction };
  }
}

function placesText({ remote = 0, countries = [] }: MissingValues): string {
  if (remote === 0) return 'They are in other places, and naming one of these alone would bring none of them in.';
  const named = countries.map(({ name, count }) => `, ${countryName(name) ?? name} (${name}) ${count}`);
  return `They are in other places. Naming remote in geo would bring in ${remote}${named.join('')}.`;
}

function pricesText({ direction, steps = [] }: MissingValues): string {
  const seeks = direction === 'seek';
  const apart = seeks ? 'They cost more than the budget' : 'Their budgets are below the price';
  if (steps.length === 0) return `${apart}, and another one alone would bring in none whose price is public.`;
  const change = (gap: Price): string => `${seeks ? 'budget higher' : 'price lower'} by ${moneyText(gap)}`;
  const [first, ...rest] = steps.map((step) => ({ step, text: change(step) }));
  const all = rest.map(({ step, text }) => `, a ${text} ${step.count}`).join('');
  return `${apart}. A ${first?.text} would bring in ${first?.step.count}${all}.`;
}

function dealbreakersText({ phrases = [], theirs = 0 }: MissingValues): string {
  const own = phrases.map(({ name, count }) => `“${name}” keeps ${count} apart`).join(', ');
  return [
    ...(own === '' ? [] : [`Of your dealbreakers ${own}.`]),
    ...(theirs === 0 ? [] : [`${theirs} name among their own what your listing says.`]),
  ].join(' ');
}

function changeText(rule: MissingRule, values: MissingValues): string {
  switch (rule) {
    case 'geography':
      return placesText(values);
    case 'price':
      return pricesText(values);
    case 'dealbreaker':
      return dealbreakersText(values);
    case 'rank':
      return 'Nothing: they fit, but better ones fill the places of this listing and theirs.';
    case 'declined':
      return 'Nothing: a pair of listings that a side declined is not matched again.';
    case 'floor':
      return values.labelled
        ? 'They have too little in common with this listing. Other labels, or a text that says more, may bring them nearer.'
        : 'They have too little in common with this listing. It has no labels: naming some may bring them nearer.';
  }
}

/** The rules that excluded candidates of a listing, with counts. */
export function missingOf(own: MatchSide, lacks: readonly Lack[]): Missing[] {
  return MISSING_RULES.flatMap((rule) => {
    const such = lacks.filter((lack) => lack.rule === rule);
    if (such.length === 0) return [];
    const values = valuesOf(own, rule, such);
    return [{ rule, count: such.length, change: changeText(rule, values), values }];
  });
}

/** The sum over several listings; each rule has the values of the listing where it excluded most. */
export function sumExplained(listings: readonly (Explained & { readonly headline: string })[]): Explained {
  const missing = MISSING_RULES.flatMap((rule): Missing[] => {
    const such = listings.flatMap(({ headline, missing }) => {
      const found = missing.find((each) => each.rule === rule);
      return found ? [{ ...found, headline }] : [];
    });
    const [most, ...others] = such.sort((a, b) => b.count - a.count);
    if (!most) return [];
    const { count, change, values, headline } = most;
    if (others.length === 0) return [{ rule, count, change, values }];
    const sum = such.reduce((all, each) => all + each.count, 0);
    const told = `Of ${such.length} listings “${headline}” misses most, ${count}. ${change}`;
    return [
      { rule, count: sum, change: told, values: { ...values, most: { headline, count, listings: such.length } } },
    ];
  });
  return { considered: listings.reduce((sum, { considered }) => sum + considered, 0), missing };
}
