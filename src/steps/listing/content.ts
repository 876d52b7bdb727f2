// The content of a listing, made from the input and, for an edit, from its previous content: normalised, typed by the taxonomy
// and validated. Every write of a listing uses this, so that all have the same checks.
import type { Row } from '../../../db/schema/tables.ts';
import type { Disclosable } from '../../domain/disclosure/finding.ts';
import { type Fault, invalid, isFault } from '../../domain/fault.ts';
import { NO_CONDITIONS, readConditions } from '../../domain/listing/conditions.ts';
import { foldLabels } from '../../domain/listing/label.ts';
import { CARD_TYPES, type CardType, inferDirection } from '../../domain/listing/listing.ts';
import { checkCurrency } from '../../domain/listing/price.ts';
import { checkFields, subcategoryNamed } from '../../domain/listing/taxonomy.ts';
import { parseGeo } from '../../domain/place/geo.ts';
import { LABEL_TEXT_MAX, type ListingGiven } from '../../schemas/listing-input.ts';
import { disclosureFault } from '../told.ts';

/** The columns that the caller's words decide. */
export type ListingContent = Pick<
  Row<'listings'>,
  | 'card_type'
  | 'direction'
  | 'headline'
  | 'description'
  | 'geo'
  | 'labels'
  | 'subcategory'
  | 'price_cents'
  | 'budget_cents'
  | 'price_period'
  | 'currency'
  | 'per_week_cents'
  | 'per_month_cents'
  | 'conditions'
  | 'fields'
>;

export type ContentFault = 'invalid_request' | 'disclosure_refused' | 'direction_mismatch' | 'unsupported_currency';

/** `fields` is open, so that owners may say what no subcategory foresees; these keep it from being a store for files. */
const FIELDS_MAX = 60;
const FIELDS_JSON_MAX = 16_384;
const FIELDS_DEPTH_MAX = 8;

function cardTypeOf(given: ListingGiven, before: ListingContent | null): CardType | Fault<'invalid_request'> {
  if (before) {
    // Both decide its side and its matches, so changing them needs a new listing.
    for (const name of ['card_type', 'direction'] as const) {
      if (given[name] !== undefined && given[name] !== before[name]) {
        return invalid({ path: name, message: 'This cannot change; delete the listing and create another.' });
      }
    }
    return before.card_type;
  }
  const card_type = given.card_type ?? subcategoryNamed(given.subcategory ?? '')?.card_type;
  if (card_type) return card_type;
  const message = `Give one of ${CARD_TYPES.join(', ')}, or a subcategory, which determines it.`;
  return invalid({ path: 'card_type', message });
}

// Looked at once the length is known to be small: walking a hundred thousand values takes a fifth of a second.
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function fieldsFault(fields: Readonly<Record<string, unknown>>): Fault<'invalid_request'> | null {
  if (Object.keys(fields).length > FIELDS_MAX) {
    return invalid({ path: 'fields', message: `Give at most ${FIELDS_MAX} fields.` });
  }
  if (JSON.stringify(fields).length > FIELDS_JSON_MAX) {
    return invalid({ path: 'fields', message: `Use at most ${FIELDS_JSON_MAX} characters of JSON.` });
  }
  if (isDeeper(fields, FIELDS_DEPTH_MAX)) {
    return invalid({ path: 'fields', message: `Nest at most ${FIELDS_DEPTH_MAX} levels.` });
  }
  return null;
}

/** Names of a record are held by no schema. */
function longNamesFault(weights: Readonly<Record<string, number>> = {}): Fault<'invalid_request'> | null {
  if (Object.keys(weights).every((label) => label.length <= LABEL_TEXT_MAX)) return null;
  const message = `Use at most ${LABEL_TEXT_MAX} characters for a label.`;
  return invalid({ path: 'conditions.weighted_preferences', message });
}

function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

// A key set to null is taken out, so that an edit can remove one without sending all the others again.
function fieldsOf(
  given: ListingGiven['fields'],
  before: Readonly<Record<string, unknown>>,
): { fields: Record<string, unknown> } | Fault<'invalid_request'> {
  if (given === null) return { fields: {} };
  const fields = withoutNulls({ ...before, ...given });
  return fieldsFault(fields) ?? { fields };
}

/** The given value, else the previous one. */
function givenOr<T, B>(given: T | undefined, before: B): T | B {
  return given === undefined ? before : given;
}

/**
 * The content after a write; `before` is null for a new listing, and omitted fields stay. `newId` names new tiers.
 * Faults: `invalid_request` naming each field, `disclosure_refused`, `direction_mismatch`, `unsupported_currency`.
 */
export async function contentOf(
  given: ListingGiven,
  before: ListingContent | null,
  newId: () => string,
): Promise<ListingContent | Fault<ContentFault>> {
  // Sizes first: a too long text is not scanned either.
  const added = given.fields ? withoutNulls(given.fields) : {};
  const large = fieldsFault(added) ?? longNamesFault(given.conditions?.weighted_preferences);
  if (large) return large;
  const told = await disclosureFault(listingDisclosables({ ...given, fields: added }));
  if (told) return told;
  const card_type = cardTypeOf(given, before);
  if (typeof card_type !== 'string') return card_type;
  const folded = given.labels ? foldLabels(given.labels) : { labels: before?.labels ?? [] };
  if (isFault(folded)) return folded;
  const geo = given.geo === undefined ? null : parseGeo(given.geo);
  if (isFault(geo)) return geo;
  const open = fieldsOf(given.fields, before?.fields ?? {});
  if (isFault(open)) return open;
  const { fields } = open;
  const wrong = checkCurrency({ ...given, fields, card_type, direction: 'offer' });
  if (wrong) return wrong;
  const conditions = readConditions(given.conditions, before?.conditions ?? NO_CONDITIONS, newId);
  if (isFault(conditions)) return conditions;
  const prices = {
    price_cents: givenOr(given.price_cents, before?.price_cents ?? null),
    budget_cents: givenOr(given.budget_cents, before?.budget_cents ?? null),
    per_week_cents: givenOr(givenOr(given.per_week_cents, given.per_week), before?.per_week_cents ?? null),
    per_month_cents: givenOr(givenOr(given.per_month_cents, given.per_month), before?.per_month_cents ?? null),
  };
  const side = before ?? inferDirection(card_type, given.direction, { ...prices, fields });
  if (isFault(side)) return side;
  const { direction } = side;
  const subcategory = givenOr(given.subcategory, before?.subcategory ?? null) || null;
  const misfit = checkFields({ card_type, direction, subcategory, fields });
  if (misfit) return misfit;
  return {
    card_type,
    direction,
    headline: givenOr(given.headline, before?.headline ?? ''),
    description: givenOr(given.description, before?.description ?? ''),
    geo: geo === null ? (before?.geo ?? null) : geo.text || null,
    labels: folded.labels,
    subcategory,
    ...prices,
    price_period: givenOr(given.price_period, before?.price_period ?? 'once'),
    currency: 'USD',
    conditions,
    fields,
  };
}

/** Whether a listing already says exactly this, so that nothing need be written, embedded or matched. */
export function saysContent(content: ListingContent, row: ListingContent): boolean {
  return Bun.deepEquals(
    content,
    Object.fromEntries(Object.keys(content).map((name) => [name, row[name as keyof ListingContent]])),
  );
}

// The texts of a listing as its author sent them, each with its path: scoped disclosure reads them before they are normalised or
// stored (interface.md item 9). A field's name precedes its value, because "phone" makes 5551234 a phone number.

/** A path of a JSON pointer's depth; deeper ones are refused by the fields' own bound. */
const DEPTH_MAX = 12;

/** The used length of a name, which is read again before each of up to a thousand values. */
const CUE_MAX = 40;
/** The entries of a list that the name precedes: eight thousand fit into `fields`. */
const CUED_MAX = 60;

/** Every text and number in `fields`, and every name: a name that is private itself is never repeated as a path. */
function* fieldDisclosables(path: string, name: string, value: unknown, depth: number): Generator<Disclosable> {
  if (depth > DEPTH_MAX) return;
  if (typeof value === 'string' || typeof value === 'number') {
    yield { field: path, text: name === '' ? `${value}` : `${name.slice(-CUE_MAX)}: ${value}` };
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) {
      yield* fieldDisclosables(`${path}.${at}`, at < CUED_MAX ? name : '', entry, depth + 1);
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield { field: path, text: key };
    yield* fieldDisclosables(SAFE_NAME.test(key) ? `${path}.${key}` : path, key, inner, depth + 1);
  }
}

/** Names that can be shown in a path: nothing that is private has this shape. */
const SAFE_NAME = /^[A-Za-z][A-Za-z_]{0,39}$/;

/** The free texts of a listing input. */
export function* listingDisclosables(given: ListingGiven): Generator<Disclosable> {
  if (given.headline) yield { field: 'headline', text: given.headline };
  if (given.description) yield { field: 'description', text: given.description };
  if (typeof given.geo === 'string') yield { field: 'geo', text: given.geo };
  for (const [at, text] of (given.geo instanceof Object ? (given.geo.countries ?? []) : []).entries()) {
    yield { field: `geo.countries.${at}`, text };
  }
  for (const [at, text] of (given.labels ?? []).entries()) yield { field: `labels.${at}`, text };
  const { tiers = [], dealbreakers = [], preferences = [], weighted_preferences = {} } = given.conditions ?? {};
  for (const [at, { id, name }] of tiers.entries()) {
    yield { field: `conditions.tiers.${at}.name`, text: name };
    if (id) yield { field: `conditions.tiers.${at}.id`, text: id };
  }
  for (const [at, text] of dealbreakers.entries()) yield { field: `conditions.dealbreakers.${at}`, text };
  for (const [at, { label }] of preferences.entries()) {
    yield { field: `conditions.preferences.${at}.label`, text: label };
  }
  for (const text of Object.keys(weighted_preferences)) yield { field: 'conditions.weighted_preferences', text };
  if (given.fields) yield* fieldDisclosables('fields', '', given.fields, 0);
}
