// A listing's conditions: pricing tiers, dealbreakers, weighted preferences (interface.md "Listing", rules.md 5).
// They are mapped field by field, so that fields unknown to the interface are never stored.
import { type Fault, invalid } from '../fault.ts';
import { singularWords } from '../text/fold.ts';
import { type Preference, preferencesOf } from './listing.ts';
import type { Billing } from './price.ts';

/** More would be a price list; with one slug a listing, tiers must stay easy to distinguish. */
export const MAX_TIERS = 20;
/** As many as people can oversee. */
export const MAX_DEALBREAKERS = 20;
/** Checkout's id of a listing's single fixed price, which no tier may have (interface.md, Marketplace and router). */
export const LISTED_TIER_ID = 'listed';

/** A stored tier, with every field set. `price_cents` is USD cents for one `billing` period. */
interface KeptTier {
  readonly id: string;
  readonly name: string;
  readonly price_cents: number;
  readonly currency: string;
  readonly billing: Billing;
}

export interface Conditions {
  readonly tiers: readonly KeptTier[];
  readonly dealbreakers: readonly string[];
  readonly preferences: readonly Preference[];
  /** Whether its price or budget is not negotiable; absent is false. */
  readonly price_firm?: boolean;
  /** How its agent compares offers; absent is the default of its direction. */
  readonly decide_within_hours?: number;
  /** 0 is without limit. */
  readonly deals_wanted?: number;
}

/** Proposals expire after 72 hours, so a decision has to fall well before. */
export const DECIDE_WITHIN_MAX_HOURS = 48;
export const DEALS_WANTED_MAX = 1_000;

interface Comparing {
  readonly direction: 'offer' | 'seek';
  readonly conditions: Pick<Conditions, 'decide_within_hours' | 'deals_wanted'>;
}

/** How long its agent compares what it is offered before it agrees, from the first acceptable proposal on; 0 for not at all. */
export function decideWithinHours({ direction, conditions }: Comparing): number {
  return conditions.decide_within_hours ?? (direction === 'seek' ? 24 : 0);
}

/** How many deals its agent makes about it by itself; null for any number. */
export function dealsWanted({ direction, conditions }: Comparing): number | null {
  const wanted = conditions.deals_wanted ?? (direction === 'seek' ? 1 : 0);
  return wanted === 0 ? null : wanted;
}

/** The input; `weighted_preferences` is the other form of `preferences` (questions.md 43). */
interface ConditionsInput {
  readonly tiers?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly price_cents: number;
    readonly currency?: string;
    readonly billing?: Billing;
  }[];
  readonly dealbreakers?: readonly string[];
  readonly price_firm?: boolean;
  readonly decide_within_hours?: number;
  readonly deals_wanted?: number;
  readonly preferences?: readonly { readonly label: string; readonly weight?: number }[];
  readonly weighted_preferences?: Readonly<Record<string, number>>;
}

export const NO_CONDITIONS: Conditions = { tiers: [], dealbreakers: [], preferences: [] };

// A tier keeps its id across edits, by the sent id or else by its name, since purchases and subscriptions refer to it.
function tiersOf(
  given: NonNullable<ConditionsInput['tiers']>,
  before: readonly KeptTier[],
  newId: () => string,
): readonly KeptTier[] | Fault<'invalid_request'> {
  const tiers: KeptTier[] = [];
  const named = new Set(given.flatMap((tier) => tier.id ?? []));
  for (const [index, tier] of given.entries()) {
    const name = tier.name.trim();
    if (name === '') return invalid({ path: `conditions.tiers.${index}.name`, message: 'Give the tier a name.' });
    const known = before.find((old) => old.name === name && !named.has(old.id) && !tiers.some((t) => t.id === old.id));
    const id = tier.id ?? known?.id ?? newId();
    if (id === LISTED_TIER_ID || tiers.some((other) => other.id === id)) {
      return invalid({
        path: `conditions.tiers.${index}.id`,
        message: 'Each tier needs an id of its own; leave it out.',
      });
    }
    tiers.push({ id, name, price_cents: tier.price_cents, currency: 'USD', billing: tier.billing ?? 'one_time' });
  }
  return tiers;
}

/**
 * The conditions after a write: each given part replaces the stored one, the others stay. Fault: `invalid_request`
 * naming the entry. `checkCurrency` checks the currency of tiers.
 */
export function readConditions(
  given: ConditionsInput | null | undefined,
  before: Conditions,
  newId: () => string,
): Conditions | Fault<'invalid_request'> {
  if (given === undefined) return before;
  if (given === null) return NO_CONDITIONS;
  const tiers = given.tiers ? tiersOf(given.tiers, before.tiers, newId) : before.tiers;
  if ('fault' in tiers) return tiers;
  const dealbreakers = given.dealbreakers?.map((phrase) => phrase.trim()).filter((phrase) => phrase !== '');
  const weighted = (given.preferences ?? given.weighted_preferences) ? preferencesOf(given) : before;
  if ('fault' in weighted) return weighted;
  const price_firm = given.price_firm ?? before.price_firm ?? false;
  const decide_within_hours = given.decide_within_hours ?? before.decide_within_hours;
  const deals_wanted = given.deals_wanted ?? before.deals_wanted;
  return {
    tiers,
    ...(price_firm && { price_firm }),
    ...(decide_within_hours !== undefined && { decide_within_hours }),
    ...(deals_wanted !== undefined && { deals_wanted }),
    dealbreakers: dealbreakers ? [...new Set(dealbreakers)] : before.dealbreakers,
    preferences: weighted.preferences,
  };
}

// Dealbreakers: free phrases of a listing that the other side's text must not contain (interface.md "Listing",
// rules.md 6). The comparison is literal on purpose: a phrase is met when one sentence, label or place of the other
// side holds all its words, in singular or plural. No meaning is guessed, so people can foresee what is refused.

// Words without meaning in a phrase such as "work with an agency" or "any casino".
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an the any of with for to be is are we i you who that which do does must please and or'.split(' '),
);
// "No agencies" among dealbreakers means agencies. "Not" and "without" stay words of the phrase: "not remote" and
// "without insurance" name a lack, and only the same words on the other side meet it.
const LEADING_NO: ReadonlySet<string> = new Set(['no', 'never', 'avoid']);
// "No casinos" in the other's text is the opposite of a casino.
const NEGATORS: ReadonlySet<string> = new Set(['no', 'not', 'non', 'without', 'never', 'anti']);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'any', 'the']);

const SENTENCE_END = /[.!?;](?=\s|$)|[\n\r•|]+/;

/** A parsed phrase. */
export interface Dealbreaker {
  /** The original text. */
  readonly text: string;
  readonly words: readonly string[];
}

/** One side's words, a list for each sentence, and a set of all words: a phrase with a word that does not occur is decided
 * by one lookup, so that the cost is not the product of texts and phrases. */
export interface Haystack {
  readonly sentences: readonly (readonly string[])[];
  readonly words: ReadonlySet<string>;
}

/** Parses dealbreakers; a phrase without meaningful words is left out, since it would refuse all. */
export function readDealbreakers(phrases: readonly string[]): Dealbreaker[] {
  return phrases.flatMap((text) => {
    const [head, ...rest] = singularWords(text);
    if (head === undefined) return [];
    const all = LEADING_NO.has(head) && rest.length > 0 ? rest : [head, ...rest];
    const words = [...new Set(all.filter((word) => !EMPTY_WORDS.has(word)))];
    return words.length > 0 ? [{ text: text.trim(), words }] : [];
  });
}

/** Splits a side's texts into sentences of folded words. */
export function haystackOf(texts: readonly (string | null | undefined)[]): Haystack {
  const sentences = texts
    .flatMap((text) => (text ? text.split(SENTENCE_END) : []))
    .map(singularWords)
    .filter((words) => words.length > 0);
  return { sentences, words: new Set(sentences.flat()) };
}

function isNegated(sentence: readonly string[], at: number): boolean {
  const before = sentence[at - 1];
  if (before === undefined) return false;
  if (NEGATORS.has(before)) return true;
  const earlier = sentence[at - 2];
  return ARTICLES.has(before) && earlier !== undefined && NEGATORS.has(earlier);
}

function meets(sentence: readonly string[], words: readonly string[]): boolean {
  if (!words.every((word) => sentence.includes(word))) return false;
  const [first] = words;
  return (
    first === undefined ||
    NEGATORS.has(first) ||
    sentence.some((word, at) => word === first && !isNegated(sentence, at))
  );
}

/** The first dealbreaker that the other side meets, or null. */
export function metDealbreaker(dealbreakers: readonly Dealbreaker[], haystack: () => Haystack): Dealbreaker | null {
  if (dealbreakers.length === 0) return null;
  const { sentences, words: occurring } = haystack();
  const met = ({ words }: Dealbreaker): boolean =>
    words.every((word) => occurring.has(word)) && sentences.some((sentence) => meets(sentence, words));
  return dealbreakers.find(met) ?? null;
}
