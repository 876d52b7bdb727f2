// A listing: the legal directions of card types, completeness, its slug, and the text of its vector (interface.md
// "Listing", rules.md 5, questions.md 35 to 43).

import { type Fault, fault, invalid } from '../fault.ts';
import { cutAtWord, hyphenate } from '../text/fold.ts';
import { isVisible } from '../text/visible.ts';
import { MAX_LABEL_CHARS, resolveLabel } from './label.ts';
import { effectivePrice, needsPrice, type Priced } from './price.ts';

export const DIRECTIONS = ['offer', 'seek'] as const;
export type Direction = (typeof DIRECTIONS)[number];

// The legal directions of each card type; the first is the default (questions.md 35).
const LEGAL = {
  selling: ['offer'],
  buying: ['seek'],
  hiring: ['seek'],
  job_seeking: ['offer'],
  fundraising: ['seek'],
  investing: ['offer'],
  partnering: ['offer', 'seek'],
  link_building: ['offer', 'seek'],
  link_exchange: ['offer', 'seek'],
} as const satisfies Record<string, readonly [Direction, ...Direction[]]>;

export type CardType = keyof typeof LEGAL;

/** The nine card types, in the order of interface.md, Listing. */
export const CARD_TYPES = [
  'selling',
  'buying',
  'hiring',
  'job_seeking',
  'fundraising',
  'investing',
  'partnering',
  'link_building',
  'link_exchange',
] as const satisfies readonly CardType[];

/** The directions that a card type may have. */
export function directionsOf(card_type: CardType): readonly [Direction, ...Direction[]] {
  return LEGAL[card_type];
}

/**
 * The direction of a listing: the given one if legal, else inferred. A `link_building` listing with a budget and no price
 * is a seek. Fault: `direction_mismatch`.
 */
export function inferDirection(
  card_type: CardType,
  given: Direction | null | undefined,
  listing: Omit<Priced, 'card_type' | 'direction'> = {},
): { direction: Direction } | Fault<'direction_mismatch'> {
  const legal = directionsOf(card_type);
  if (given) {
    if (legal.includes(given)) return { direction: given };
    return fault(
      'direction_mismatch',
      `A ${card_type} listing is always ${legal[0] === 'offer' ? 'an offer' : 'a seek'}.`,
      {
        fields: [{ path: 'direction', message: `Must be ${legal.join(' or ')}, or left out.` }],
      },
    );
  }
  const budget = listing.budget_cents ?? listing.fields?.budget_cents_per_link;
  const price = listing.price_cents ?? listing.fields?.price_cents;
  if (card_type === 'link_building' && typeof budget === 'number' && typeof price !== 'number')
    return { direction: 'seek' };
  return { direction: legal[0] };
}

export interface Completeness {
  readonly complete: boolean;
  /** The missing fields: of `headline`, `labels`, and `price_cents` (an offer) or `budget_cents` (a seek). */
  readonly missing: readonly string[];
}

/** A listing is complete with a headline, at least one label, and an amount where Q36 requires one. */
export function completenessOf(
  listing: Priced & { headline?: string | null; labels: readonly string[] },
): Completeness {
  const missing: string[] = [];
  if (!isVisible(listing.headline ?? '')) missing.push('headline');
  if (listing.labels.length === 0) missing.push('labels');
  if (needsPrice(listing) && effectivePrice(listing) === null) {
    missing.push(listing.direction === 'offer' ? 'price_cents' : 'budget_cents');
  }
  return { complete: missing.length === 0, missing };
}

const MAX_SLUG_CHARS = 80;

/** A listing's slug from its headline: folded, cut at a word to 80 characters; `listing` when nothing is left (Q117). */
export function slugOf(headline: string): string {
  return cutAtWord(hyphenate(headline), MAX_SLUG_CHARS) || 'listing';
}

/** The first of `slug`, `slug-2`, `slug-3` … that the handle has not taken. A slug never changes after (Q117). */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  if (!isTaken(slug)) return slug;
  let n = 2;
  while (isTaken(`${slug}-${n}`)) n += 1;
  return `${slug}-${n}`;
}

export interface Preference {
  readonly label: string;
  /** Above 0 to 1. */
  readonly weight: number;
}

/** More would be a second description. */
const MAX_PREFERENCES = 20;

/**
 * A listing's weighted preferences from either form, `preferences: [{label, weight}]` or `weighted_preferences: {label:
 * weight}`, in the output form (questions.md 43): labels are resolved, and the later of two equal labels wins. Fault:
 * `invalid_request` naming the entry.
 */
export function preferencesOf(conditions: {
  readonly preferences?: readonly { readonly label: string; readonly weight?: number }[];
  readonly weighted_preferences?: Readonly<Record<string, number>>;
}): { preferences: Preference[] } | Fault<'invalid_request'> {
  const given = [
    ...Object.entries(conditions.weighted_preferences ?? {}).map(([label, weight]) => ({
      path: `conditions.weighted_preferences.${label}`,
      label,
      weight,
    })),
    ...(conditions.preferences ?? []).map(({ label, weight = 1 }, index) => ({
      path: `conditions.preferences.${index}`,
      label,
      weight,
    })),
  ];
  if (given.length > MAX_PREFERENCES) {
    return invalid({ path: 'conditions.preferences', message: `Give at most ${MAX_PREFERENCES} preferences.` });
  }
  const found = new Map<string, number>();
  for (const { path, label, weight } of given) {
    const name = resolveLabel(label);
    if (name === '' || name.length > MAX_LABEL_CHARS) {
      return invalid({ path, message: `The label must hold 1 to ${MAX_LABEL_CHARS} letters or digits.` });
    }
    if (!Number.isFinite(weight) || weight < 0 || weight > 1)
      return invalid({ path, message: 'The weight is 0 to 1.' });
    found.set(name, weight);
  }
  return { preferences: [...found].map(([label, weight]) => ({ label, weight })) };
}

/**
 * The text of a listing's vector and of the comparison of words: headline, description and labels. Card type and place are
 * left out: they already filter candidates, so they would make all candidates a little more alike.
 */
export function embeddingText(listing: {
  readonly headline?: string | null;
  readonly description?: string | null;
  readonly labels: readonly string[];
}): string {
  const spoken = listing.labels.map((label) => label.replaceAll('-', ' '));
  return [listing.headline ?? '', listing.description ?? '', spoken.join(', ')]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n');
}
