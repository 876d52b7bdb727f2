// The texts of a listing as its author sent them, each with its path: what scoped disclosure looks at before anything is
// folded or stored (interface.md item 9). A field's name stands before its value, since "phone" is what makes 5551234 one.
import type { Disclosable } from '../../domain/disclosure.ts';
import type { ListingGiven } from './input.ts';

/** A path of a JSON pointer's depth; deeper ones are refused by the fields' own bound. */
const DEPTH_MAX = 12;

/** As much of a name as tells what its value is: a longer one before each of a thousand values would be read that often. */
const CUE_MAX = 40;

/** Every text and number in `fields`, and every name: a name that is private itself is never repeated as a path. */
function* inFields(path: string, name: string, value: unknown, depth: number): Generator<Disclosable> {
  if (depth > DEPTH_MAX) return;
  if (typeof value === 'string' || typeof value === 'number') {
    yield { field: path, text: name === '' ? `${value}` : `${name.slice(-CUE_MAX)}: ${value}` };
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) yield* inFields(`${path}.${at}`, name, entry, depth + 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield { field: path, text: key };
    yield* inFields(SAFE_NAME.test(key) ? `${path}.${key}` : path, key, inner, depth + 1);
  }
}

/** Names that can be shown in a path: nothing that is private has this shape. */
const SAFE_NAME = /^[A-Za-z][A-Za-z_]{0,39}$/;

/** What a caller says in a listing, as far as it is free text. */
export function* toldInListing(given: ListingGiven): Generator<Disclosable> {
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
  if (given.fields) yield* inFields('fields', '', given.fields, 0);
}
