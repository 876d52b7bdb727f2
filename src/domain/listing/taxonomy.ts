// The listing taxonomy as a whole, and the check of a listing against it (interface.md "Listing", questions.md 35 to
// 39). What a listing's `fields` must hold is said once, in the subcategory's schema; rules across fields stand here.

import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Fault, type FieldProblem, invalid } from '../fault.ts';
import { guide, step } from '../next-step.ts';
import type { CardType, Direction } from './listing.ts';
import { BUYING } from './taxonomy/buying.ts';
import { FUNDRAISING } from './taxonomy/fundraising.ts';
import { HIRING } from './taxonomy/hiring.ts';
import { INVESTING } from './taxonomy/investing.ts';
import { JOB_SEEKING } from './taxonomy/job_seeking.ts';
import { LINK_BUILDING, LINK_FIELDS } from './taxonomy/link_building.ts';
import { LINK_EXCHANGE } from './taxonomy/link_exchange.ts';
import { PARTNERING } from './taxonomy/partnering.ts';
import { SELLING } from './taxonomy/selling.ts';
import { COMMON_FIELDS, type Subcategory } from './taxonomy/subcategory.ts';

/** Every subcategory, by card type in the order of interface.md, Listing: the body of GET /api/listings/taxonomy. */
export const TAXONOMY: readonly Subcategory[] = [
  ...SELLING,
  ...BUYING,
  ...HIRING,
  ...JOB_SEEKING,
  ...FUNDRAISING,
  ...INVESTING,
  ...PARTNERING,
  ...LINK_BUILDING,
  ...LINK_EXCHANGE,
];

const BY_NAME: ReadonlyMap<string, Subcategory> = new Map(TAXONOMY.map((entry) => [entry.subcategory, entry]));

// Checked on every listing beside its subcategory's schema; link trades are typed by their card type alone.
const EVERY_LISTING = Type.Object(COMMON_FIELDS);
const EVERY_LINK = Type.Object({ ...COMMON_FIELDS, ...LINK_FIELDS });
const LINK_TYPES: ReadonlySet<CardType> = new Set(['link_building', 'link_exchange']);

const FIXED_OFFERINGS: ReadonlySet<unknown> = new Set(['deliverable', 'domain_sale', 'sponsorship', 'placement']);

/** The parts of a listing that the taxonomy governs; `direction` is the inferred one. */
export interface Typed {
  readonly card_type: CardType;
  readonly direction: Direction;
  readonly subcategory?: string | null;
  readonly fields?: Readonly<Record<string, unknown>> | null;
}

/** The entry of a subcategory's name; undefined when there is none. */
export function subcategoryNamed(name: string): Subcategory | undefined {
  return BY_NAME.get(name);
}

const HOST = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;

// A person pastes addresses; the name in it is what counts. Null when it holds no public host name.
function hostIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const [named = ''] = value
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[/?#]/, 1);
  const host = named.replace(/\.$/, '');
  return HOST.test(host) ? host : null;
}

/** The site that a listing names in `fields.site_domain` or its alias `fields.domain` (questions.md 39); null for none. */
export function siteDomainOf(fields: Typed['fields']): string | null {
  return hostIn(fields?.site_domain) ?? hostIn(fields?.domain);
}

/**
 * The domain that must be proven by DNS before this listing is public: that of an offer of links, of a domain for sale,
 * and of a link exchange that names one. Null when nothing is to be proven.
 */
export function domainToProve(listing: Typed): string | null {
  if (listing.direction !== 'offer') return null;
  const gates = subcategoryNamed(listing.subcategory ?? '')?.gates ?? [];
  const gated = LINK_TYPES.has(listing.card_type) || gates.includes('domain_verified');
  const sold = listing.fields?.offering === 'domain_sale';
  return gated || sold ? siteDomainOf(listing.fields) : null;
}

/** A body that is wrong everywhere is told of its first faults; the rest follow when these are mended. */
const MAX_PROBLEMS = 20;

function checkSubcategory(listing: Typed): FieldProblem | null {
  if (!listing.subcategory) return null;
  const entry = subcategoryNamed(listing.subcategory);
  if (!entry) {
    const message = guide`There is no such subcategory; see ${step('listing.taxonomy')}.`;
    return { path: 'subcategory', message };
  }
  if (entry.card_type !== listing.card_type) {
    return { path: 'subcategory', message: `${entry.subcategory} belongs to the card_type ${entry.card_type}.` };
  }
  return null;
}

// Says what is wrong with a value in words, once a field, its own schema's complaint before the common one's.
function schemaProblems(listing: Typed, fields: Readonly<Record<string, unknown>>): FieldProblem[] {
  const own = subcategoryNamed(listing.subcategory ?? '')?.fields;
  const common = LINK_TYPES.has(listing.card_type) ? EVERY_LINK : EVERY_LISTING;
  const errors = [...(own ? Value.Errors(own, fields) : []), ...Value.Errors(common, fields)];
  const problems = new Map<string, FieldProblem>();
  for (const error of errors) {
    const path = `fields${error.instancePath.replaceAll('/', '.')}`;
    const allowed = error.keyword === 'enum' ? error.params.allowedValues : null;
    const words = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    if (problems.has(path)) continue;
    problems.set(path, { path, message: allowed ? `Must be one of ${allowed.join(', ')}.` : words });
  }
  return [...problems.values()].slice(0, MAX_PROBLEMS);
}

function domainProblems(listing: Typed, fields: Readonly<Record<string, unknown>>): FieldProblem[] {
  const named = ['site_domain', 'domain'].filter((name) => fields[name] !== undefined && fields[name] !== null);
  const wrong = named.filter((name) => hostIn(fields[name]) === null);
  if (wrong.length > 0) {
    return wrong.map((name) => ({ path: `fields.${name}`, message: 'Give a host name such as example.com.' }));
  }
  if (new Set(named.map((name) => hostIn(fields[name]))).size > 1) {
    return [{ path: 'fields.domain', message: 'Must be the same as fields.site_domain, or left out.' }];
  }
  const linkOffer = listing.card_type === 'link_building' && listing.direction === 'offer';
  if (named.length === 0 && (linkOffer || listing.subcategory === 'domains.sale')) {
    const typed = listing.subcategory?.startsWith('links.') === true;
    return [{ path: `fields.${typed ? 'site_domain' : 'domain'}`, message: 'Name the site, such as example.com.' }];
  }
  return [];
}

/**
 * Whether a listing's subcategory and `fields` follow the taxonomy: types, allowed pricing, a fixed `pricing_model` for
 * what is sold as a piece, and the site of a link offer. Fault: `invalid_request` naming each field.
 */
export function checkFields(listing: Typed): Fault<'invalid_request'> | null {
  const misplaced = checkSubcategory(listing);
  if (misplaced) return invalid(misplaced);
  const fields = listing.fields ?? {};
  const problems = [...schemaProblems(listing, fields), ...domainProblems(listing, fields)];
  if (FIXED_OFFERINGS.has(fields.offering) && fields.pricing_model !== 'fixed') {
    const message = `A ${String(fields.offering)} is sold at a fixed price: must be fixed.`;
    problems.push({ path: 'fields.pricing_model', message });
  }
  return problems.length > 0 ? invalid(...problems) : null;
}
