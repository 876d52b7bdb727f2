// The listing taxonomy, and the check of a listing against it (interface.md "Listing", questions.md 35 to 39). The
// subcategory's schema defines a listing's `fields`; rules across fields are in this file.

import { type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Fault, type FieldProblem, invalid } from '../fault.ts';
import { guide, step } from '../next-step.ts';
import type { CardType, Direction } from './listing.ts';
import { LINK_BUILDING, LINK_FIELDS } from './taxonomy/link_building.ts';
import { SELLING } from './taxonomy/selling.ts';
import {
  COMMON_FIELDS,
  cents,
  choice,
  count,
  entries,
  flag,
  list,
  percent,
  type Subcategory,
  text,
} from './taxonomy/subcategory.ts';

// The taxonomy of purchases: the counterparts of `selling`, by what the buyer knows when asking.

const buyingEntry = entries({
  card_type: 'buying',
  directions: ['seek'],
  pricing: [
    'fixed',
    'hourly',
    'daily',
    'weekly',
    'monthly',
    'yearly',
    'per_unit',
    'usage',
    'commission',
    'quote',
    'free',
  ],
});

const deadline = { deadline_days: count('Days until it is needed'), acceptance: text('When it counts as done') };

/** Subcategories of `buying`. */
const BUYING = [
  buyingEntry('wanted.software_project', 'Software project', { stack: list('Languages and frameworks'), ...deadline }),
  buyingEntry('wanted.website', 'Website or shop', { pages: count('Pages'), platform: text('Platform'), ...deadline }),
  buyingEntry('wanted.devops', 'DevOps and cloud', {
    clouds: list('Cloud providers'),
    tools: list('Tools'),
    ...deadline,
  }),
  buyingEntry('wanted.ai_solution', 'AI solution', { data: text('What data there is'), ...deadline }),
  buyingEntry('wanted.design', 'Design', {
    media: list('Fields of design, such as ui-ux or logo-design'),
    ...deadline,
  }),
  buyingEntry('wanted.marketing', 'Marketing and SEO', {
    channels: list('Channels'),
    regions: list('Regions'),
    ...deadline,
  }),
  buyingEntry('wanted.content', 'Content and translation', {
    languages: list('Languages'),
    words: count('Words'),
    ...deadline,
  }),
  buyingEntry('wanted.professional_service', 'Legal, accounting or consulting', {
    jurisdictions: list('Jurisdictions'),
    ...deadline,
  }),
  buyingEntry('wanted.research', 'Research and development', {
    fields_of_study: list('Fields'),
    phase: text('Phase'),
    ...deadline,
  }),
  buyingEntry('wanted.software_product', 'Software product', {
    seats: count('Seats'),
    integrations: list('Must work with'),
  }),
  buyingEntry('wanted.data', 'Data set or leads', {
    format: list('Formats'),
    rows: count('Fewest rows'),
    licence: text('What it is used for'),
  }),
  buyingEntry('wanted.api_access', 'API access', {
    calls: count('Calls a month'),
    latency_ms: count('Longest answer, milliseconds'),
  }),
  buyingEntry('wanted.media', 'Sponsorship or placement', {
    medium: list('Media'),
    audience: count('Smallest audience'),
  }),
  buyingEntry('wanted.domain_name', 'Domain name', {
    endings: list('Endings, such as com or io'),
    keywords: list('Words in it'),
  }),
  buyingEntry('wanted.goods', 'Physical goods', {
    quantity: count('Quantity'),
    unit: text('Unit'),
    ship_to: text('Country of delivery'),
    used_accepted: flag('Used goods are accepted'),
  }),
  buyingEntry('wanted.support', 'Support and operations', {
    hours: text('Hours to cover'),
    languages: list('Languages'),
    term: choice('Term', 'once', 'ongoing'),
  }),
] as const;

// The taxonomy of fundraising, by round; the budget of such a listing is the size of the round.

const fundraisingEntry = entries({
  card_type: 'fundraising',
  directions: ['seek'],
  pricing: ['fixed', 'equity', 'quote'],
});

const company = {
  industry: list('Industries'),
  stage: choice('Stage', 'idea', 'prototype', 'launched', 'revenue', 'profitable'),
  instrument: choice('Instrument', 'safe', 'convertible_note', 'priced_equity', 'debt', 'revenue_share', 'grant'),
  monthly_revenue_cents: cents('Revenue a month'),
  team_size: count('People'),
} satisfies TProperties;
const round = {
  ...company,
  valuation_cents: cents('Valuation before the money'),
  equity_percent: percent('Share given'),
};

/** Subcategories of `fundraising`. */
const FUNDRAISING = [
  fundraisingEntry('finance.pre_seed_round', 'Pre-seed round', round),
  fundraisingEntry('finance.seed_round', 'Seed round', round),
  fundraisingEntry('finance.series_a', 'Series A', round),
  fundraisingEntry('finance.growth_round', 'Later round', round),
  fundraisingEntry('finance.bridge_loan', 'Loan or bridge', {
    ...company,
    interest_percent: percent('Interest a year'),
    term_months: count('Months'),
  }),
  fundraisingEntry('finance.grant_wanted', 'Grant wanted', { ...company, purpose: text('What it pays for') }),
  fundraisingEntry('finance.business_for_sale', 'Business for sale', { ...company, reason: text('Why it is sold') }),
] as const;

// The taxonomy of open positions, by the kind of contract.

const hiringEntry = entries({
  card_type: 'hiring',
  directions: ['seek'],
  pricing: ['salary', 'hourly', 'daily', 'monthly', 'yearly', 'fixed', 'equity', 'quote'],
});

const role = {
  skills: list('Skills asked for'),
  seniority: choice('Seniority', 'intern', 'junior', 'mid', 'senior', 'lead', 'executive'),
  remote: flag('Can be done from anywhere'),
  salary_min_cents: cents('Lowest pay'),
  salary_max_cents: cents('Highest pay'),
  visa_sponsorship: flag('A visa is sponsored'),
} satisfies TProperties;

/** Subcategories of `hiring`. */
const HIRING = [
  hiringEntry('jobs.full_time', 'Full-time job', role),
  hiringEntry('jobs.part_time', 'Part-time job', { ...role, hours_per_week: count('Hours a week') }),
  hiringEntry('jobs.contract', 'Contract', { ...role, months: count('Months') }),
  hiringEntry('jobs.freelance', 'Freelance work', { ...role, hours: count('Hours of work') }),
  hiringEntry('jobs.internship', 'Internship', {
    ...role,
    months: count('Months'),
    for_credit: flag('Counts for studies'),
  }),
  hiringEntry('jobs.executive', 'Executive or founder', {
    ...role,
    equity_percent: percent('Share given'),
  }),
  hiringEntry('jobs.advisor', 'Advisor or board seat', {
    skills: list('Skills'),
    hours_per_month: count('Hours a month'),
  }),
  hiringEntry('jobs.temporary', 'Temporary or seasonal work', { ...role, days: count('Days') }),
] as const;

// The taxonomy of investing, by kind of investor; the price of such a listing is its ticket, the smallest investment in a round.

const investingEntry = entries({
  card_type: 'investing',
  directions: ['offer'],
  pricing: ['fixed', 'equity', 'quote'],
});

const thesis = {
  industry: list('Industries'),
  stages: list('Stages'),
  regions: list('Regions'),
  ticket_min_cents: cents('Smallest ticket'),
  ticket_max_cents: cents('Largest ticket'),
  leads: flag('Leads rounds'),
} satisfies TProperties;

/** Subcategories of `investing`. */
const INVESTING = [
  investingEntry('finance.angel', 'Angel investor', thesis),
  investingEntry('finance.venture_fund', 'Venture fund', { ...thesis, fund_size_cents: cents('Fund size') }),
  investingEntry('finance.corporate_venture', 'Corporate investor', {
    ...thesis,
    strategic_interest: text('What is looked for'),
  }),
  investingEntry('finance.accelerator', 'Accelerator', {
    ...thesis,
    equity_percent: percent('Share taken'),
    weeks: count('Weeks'),
  }),
  investingEntry('finance.lender', 'Lender', {
    ...thesis,
    interest_percent: percent('Interest a year'),
    term_months: count('Longest term'),
  }),
  investingEntry('finance.grant', 'Grant maker', {
    industry: list('Fields'),
    regions: list('Regions'),
    purpose: text('What is paid for'),
  }),
  investingEntry('finance.acquirer', 'Buyer of businesses', {
    ...thesis,
    revenue_min_cents: cents('Smallest yearly revenue'),
  }),
] as const;

// The taxonomy of job seekers, by kind of contract.

const jobEntry = entries({
  card_type: 'job_seeking',
  directions: ['offer'],
  pricing: ['salary', 'hourly', 'daily', 'monthly', 'yearly', 'fixed', 'equity', 'quote', 'free'],
});

const person = {
  skills: list('Skills'),
  seniority: choice('Seniority', 'intern', 'junior', 'mid', 'senior', 'lead', 'executive'),
  years: count('Years of experience'),
  remote: flag('Works from anywhere'),
  availability: COMMON_FIELDS.availability,
  relocates: flag('Would move'),
  languages: list('Languages'),
} satisfies TProperties;

/** Subcategories of `job_seeking`. */
const JOB_SEEKING = [
  jobEntry('jobs.full_time_available', 'Looking for a full-time job', {
    ...person,
    salary_min_cents: cents('Lowest pay'),
  }),
  jobEntry('jobs.part_time_available', 'Looking for a part-time job', {
    ...person,
    hours_per_week: count('Hours a week'),
  }),
  jobEntry('jobs.contract_available', 'Open to contracts', { ...person, months: count('Months') }),
  jobEntry('jobs.freelance_available', 'Open to freelance work', { ...person, hours_per_week: count('Hours a week') }),
  jobEntry('jobs.internship_wanted', 'Looking for an internship', { ...person, studies: text('Field of study') }),
  jobEntry('jobs.executive_available', 'Open to executive roles', person),
  jobEntry('jobs.advisor_available', 'Open to advise', { ...person, hours_per_month: count('Hours a month') }),
] as const;

// The taxonomy of link exchanges: without payment, so no price is needed; a named site is proven as for paid links.

const exchangeEntry = entries({
  card_type: 'link_exchange',
  directions: ['offer', 'seek'],
  pricing: ['exchange', 'free'],
  gates: ['domain_verified'],
});

/** Subcategories of `link_exchange`. */
const LINK_EXCHANGE = [
  exchangeEntry('links.exchange', 'Link exchange', LINK_FIELDS),
  exchangeEntry('links.three_way_exchange', 'Three-way exchange', LINK_FIELDS),
  exchangeEntry('links.newsletter_swap', 'Newsletter swap', { ...LINK_FIELDS, subscribers: count('Subscribers') }),
  exchangeEntry('links.content_swap', 'Guest posts in exchange', { ...LINK_FIELDS, words: count('Words') }),
] as const;

// The taxonomy of partnerships: both directions are legal, and no price is needed.

const partneringEntry = entries({
  card_type: 'partnering',
  directions: ['offer', 'seek'],
  pricing: ['exchange', 'commission', 'fixed', 'monthly', 'quote', 'free'],
});

/** Subcategories of `partnering`. */
const PARTNERING = [
  partneringEntry('partners.integration', 'Product integration', {
    product: text('Product'),
    protocols: list('Protocols, such as rest, mcp or a2a'),
  }),
  partneringEntry('partners.affiliate', 'Affiliate programme', {
    commission_percent: percent('Share of a sale'),
    cookie_days: count('Days a click counts'),
  }),
  partneringEntry('partners.reseller', 'Reseller', { margin_percent: percent('Margin'), regions: list('Regions') }),
  partneringEntry('partners.referral', 'Referral partner', {
    reward: text('What a referral earns'),
    industry: list('Industries'),
  }),
  partneringEntry('partners.co_marketing', 'Joint marketing', {
    formats: list('Formats, such as webinar or newsletter'),
    audience: count('Audience'),
  }),
  partneringEntry('partners.joint_venture', 'Joint venture', {
    industry: list('Industries'),
    contribution: text('What is brought in'),
  }),
  partneringEntry('partners.co_founder', 'Co-founder', {
    skills: list('Skills'),
    commitment: choice('Time', 'part_time', 'full_time'),
    equity_percent: percent('Share'),
  }),
  partneringEntry('partners.distribution', 'Distribution', { regions: list('Regions'), channels: list('Channels') }),
  partneringEntry('partners.research', 'Research cooperation', {
    fields_of_study: list('Fields'),
    institution: text('Kind of institution'),
  }),
] as const;

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

// Checked for every listing in addition to its subcategory's schema; link trades are typed by card type alone.
const EVERY_LISTING = Type.Object(COMMON_FIELDS);
const EVERY_LINK = Type.Object({ ...COMMON_FIELDS, ...LINK_FIELDS });
const LINK_TYPES: ReadonlySet<CardType> = new Set(['link_building', 'link_exchange']);

const FIXED_OFFERINGS: ReadonlySet<unknown> = new Set(['deliverable', 'domain_sale', 'sponsorship', 'placement']);

/** The fields of a listing that the taxonomy governs; `direction` is the inferred one. */
export interface Typed {
  readonly card_type: CardType;
  readonly direction: Direction;
  readonly subcategory?: string | null;
  readonly fields?: Readonly<Record<string, unknown>> | null;
}

/** The entry of a subcategory, or undefined. */
export function subcategoryNamed(name: string): Subcategory | undefined {
  return BY_NAME.get(name);
}

const HOST = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;

// People paste whole addresses; only the host name counts. Null without a public host name.
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

/** The site in `fields.site_domain` or its alias `fields.domain` (questions.md 39), or null. */
export function siteDomainOf(fields: Typed['fields']): string | null {
  return hostIn(fields?.site_domain) ?? hostIn(fields?.domain);
}

/**
 * The domain that must be proven by DNS before this listing is public: of an offer of links, of a domain for sale, and of
 * a link exchange that names one. Null without a domain to prove.
 */
export function domainToProve(listing: Typed): string | null {
  if (listing.direction !== 'offer') return null;
  const gates = subcategoryNamed(listing.subcategory ?? '')?.gates ?? [];
  const gated = LINK_TYPES.has(listing.card_type) || gates.includes('domain_verified');
  const sold = listing.fields?.offering === 'domain_sale';
  return gated || sold ? siteDomainOf(listing.fields) : null;
}

/** Only the first problems are reported; the rest follow when these are corrected. */
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

// Describes invalid fields, one problem each, that of the field's own schema before the common one.
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
 * Checks a listing's subcategory and `fields` against the taxonomy: types, allowed pricing, a fixed `pricing_model` for
 * offerings with a fixed price, and the site of a link offer. Fault: `invalid_request` naming each field.
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
