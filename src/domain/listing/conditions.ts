// A listing's conditions: pricing tiers, dealbreakers, weighted preferences (interface.md "Listing", rules.md 5).
// They are mapped field by field, so nothing that the interface does not name is ever stored.
import { type Fault, invalid } from '../fault.ts';
import { singularWords } from '../text/fold.ts';
import { type Preference, preferencesOf } from './listing.ts';
import type { Billing } from './price.ts';

/** More would be a price list; a listing has one slug, so each tier must stay easy to tell apart. */
export const MAX_TIERS = 20;
/** As many as a person can foresee the effect of. */
export const MAX_DEALBREAKERS = 20;
/** Checkout's word for a listing's single fixed price, so no tier may be called that (interface.md, Marketplace and router). */
export const LISTED_TIER_ID = 'listed';

/** A tier as it is kept: every field is set. `price_cents` is USD cents for one `billing` period. */
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
  /** Whether its price or budget is no matter for a talk; absent is false. */
  readonly price_firm?: boolean;
}

/** What a caller may send; `weighted_preferences` is the other form of `preferences` (questions.md 43). */
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
  readonly preferences?: readonly { readonly label: string; readonly weight?: number }[];
  readonly weighted_preferences?: Readonly<Record<string, number>>;
}

export const NO_CONDITIONS: Conditions = { tiers: [], dealbreakers: [], preferences: [] };

// A tier keeps its id across edits, by the id sent or else by its name: purchases and subscriptions name it.
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
 * The conditions after a write: each part that is given replaces the stored one, the others stay. Fault:
 * `invalid_request` naming the entry. The currency of tiers is checked by `checkCurrency`.
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
  return {
    tiers,
    ...(price_firm && { price_firm }),
    dealbreakers: dealbreakers ? [...new Set(dealbreakers)] : before.dealbreakers,
    preferences: weighted.preferences,
  };
}

// Dealbreakers: free phrases of a listing that the other side's words must not meet (interface.md "Listing",
// rules.md 6). The reading is literal on purpose: a phrase is met when one sentence, label or place of the other
// side holds all its words, in singular or plural; no meaning is guessed, so a person can foresee what is refused.

// Words that carry nothing in a phrase such as "work with an agency" or "any casino".
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an the any of with for to be is are we i you who that which do does must please and or'.split(' '),
);
// "No agencies" among dealbreakers means agencies. "Not" and "without" stay words of the phrase: "not remote" and
// "without insurance" name a lack, which only the same words on the other side meet.
const LEADING_NO: ReadonlySet<string> = new Set(['no', 'never', 'avoid']);
// "No casinos" in the other's text is the opposite of a casino.
const NEGATORS: ReadonlySet<string> = new Set(['no', 'not', 'non', 'without', 'never', 'anti']);
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'any', 'the']);

const SENTENCE_END = /[.!?;](?=\s|$)|[\n\r•|]+/;

/** A phrase ready to be looked for. */
export interface Dealbreaker {
  /** As its author wrote it. */
  readonly text: string;
  readonly words: readonly string[];
}

/** One side's words, a list a sentence, and each of them once: a phrase with a word that occurs nowhere is done with at
 * one look, so that long texts and long lists of phrases do not multiply. */
export interface Haystack {
  readonly sentences: readonly (readonly string[])[];
  readonly words: ReadonlySet<string>;
}

/** Reads dealbreakers; a phrase without a word of its own is left out, since it would refuse everybody. */
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

/** The first dealbreaker that the other side's words meet; null when none is. */
export function metDealbreaker(dealbreakers: readonly Dealbreaker[], haystack: () => Haystack): Dealbreaker | null {
  if (dealbreakers.length === 0) return null;
  const { sentences, words: occurring } = haystack();
  const met = ({ words }: Dealbreaker): boolean =>
    words.every((word) => occurring.has(word)) && sentences.some((sentence) => meets(sentence, words));
  return dealbreakers.find(met) ?? null;
}
