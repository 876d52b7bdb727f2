// The reasons of a match in words: one short clause for each piece of evidence that spoke for it, read by a person who
// decides in a second. Side-neutral, since both owners see the same list (rules.md 6).

import type { CardType } from '../listing/listing.ts';
import { moneyText, type PriceFit } from '../listing/price.ts';
import { countryName } from '../place/country.ts';
import type { GeoMeeting } from '../place/geo.ts';
import type { MatchSide } from './side.ts';

/** The evidence that a score is made of; each number is 0 to 1. */
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
/** A text closeness below this is no reason by itself. */
const WORTH_SAYING = 0.15;
/** A trust score that is worth a word on both sides. */
const WELL_TRUSTED = 60;

// Countries that no sentence names in full.
const SPOKEN_COUNTRY: Readonly<Record<string, string>> = {
  US: 'the US',
  GB: 'the UK',
  AE: 'the UAE',
  NL: 'the Netherlands',
  PH: 'the Philippines',
};

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** A code or folded city of a GeoNorm, as a sentence names it. */
export function spokenPlace(place: string): string {
  if (/^[A-Z]{2}$/.test(place)) return SPOKEN_COUNTRY[place] ?? countryName(place) ?? place;
  if (/^US-/.test(place)) return place.replace(/^US-(.+)$/, '$1, US');
  return place
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function geoReason({ geo }: Evidence, a: MatchSide, b: MatchSide): string | null {
  switch (geo.by) {
    case 'city': {
      const city = a.geo.cities.find((name) => b.geo.cities.includes(name)) ?? '';
      return `both are in ${spokenPlace(city)}`;
    }
    case 'region': {
      const region = a.geo.regions.find((code) => b.geo.regions.includes(code)) ?? '';
      return `both are in ${spokenPlace(region)}`;
    }
    case 'country': {
      const code = a.geo.countries.find((country) => b.geo.countries.includes(country)) ?? '';
      const name = spokenPlace(code);
      // Who works in many countries is not in this one.
      const many = a.geo.countries.length > 1 || b.geo.countries.length > 1;
      return many ? `both cover ${name}` : `both are in ${name}`;
    }
    case 'remote':
      return a.geo.remote || b.geo.remote ? 'the work can be remote' : 'one side works worldwide';
    case 'unknown':
    case 'apart':
      return null;
  }
}

// What the amounts are called, by the offer's card type.
const AMOUNTS: Partial<Record<CardType, readonly [string, string]>> = {
  job_seeking: ['asked pay', 'budget'],
  investing: ['ticket', 'round'],
};

/** How the reason of a price above the budget ends. */
export const NEITHER_FIRM = '; neither is firm';

function priceReason({ price }: Evidence, offer: MatchSide): string | null {
  if (!price) return null;
  const [amount, limit] = AMOUNTS[offer.card_type] ?? ['price', 'budget'];
  if (!price.within) return `asks ${moneyText(price.price)}, the ${limit} is ${moneyText(price.budget)}${NEITHER_FIRM}`;
  return `${amount} ${moneyText(price.price)} is within the ${moneyText(price.budget)} ${limit}`;
}

/** Where a vector has yet to be made the texts are close by their words alone. */
function textReason(cosine: number): string {
  return cosine > 0 ? `the texts are close in meaning (${cosine.toFixed(2)})` : 'the texts share telling words';
}

/** The clauses, strongest evidence first; never empty, since a match has shared labels or close texts. */
export function matchReasons(evidence: Evidence, offer: MatchSide, seek: MatchSide): string[] {
  const { shared, cosine, text, preferred } = evidence;
  const named = shared.length > 0 ? `both name ${listNames(shared)}` : null;
  const near = cosine !== null && text >= WORTH_SAYING ? textReason(cosine) : null;
  const first = evidence.labels >= text ? [named, near] : [near, named];
  const trusted = Math.min(offer.trust_score, seek.trust_score);
  const quick = offer.responsiveness === 'fast' && seek.responsiveness === 'fast';
  return [
    ...first,
    priceReason(evidence, offer),
    geoReason(evidence, offer, seek),
    preferred.length > 0 ? `meets the preference for ${listNames(preferred)}` : null,
    trusted >= WELL_TRUSTED ? `both are well trusted (${trusted} or more of 100)` : null,
    quick ? 'both answer within minutes' : null,
  ].filter((reason) => reason !== null);
}
