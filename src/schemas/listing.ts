// A listing on the wire (interface.md "Listing", rules.md 5): for its owner with the gates that it has to pass, and for others.

import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { dealsWanted, decideWithinHours } from '../domain/listing/conditions.ts';
import { isTableLabel } from '../domain/listing/label.ts';
import { completenessOf } from '../domain/listing/listing.ts';
import { effectivePrices } from '../domain/listing/price.ts';
import { isActive } from '../domain/listing/state.ts';
import { authored, byField, words, wordsUnless } from './authored.ts';
import { Billing, CardType, Direction, ListingStatus, PricePeriod } from './listing-input.ts';
import { named, namedObject } from './named.ts';
import { guidanceShape } from './next-step.ts';
import { Id, iso, NullableText, nullable, Time } from './wire.ts';

const Text = Type.String();
// An amount that its column leaves empty comes from fields and tiers, which have their own limits.
const Amount = nullable(Type.Integer({ minimum: 0 }), 'USD cents; defaults come from its tiers and fields');
const Open = Type.Record(Text, Type.Unknown());

export const Conditions = namedObject('Conditions', 'requirements for the other side, and the price', {
  tiers: Type.Array(
    namedObject('Tier', 'a tier: one of several options, with its price', {
      id: Text,
      name: words(Text),
      price_cents: Type.Integer(),
      currency: Text,
      billing: Billing,
    }),
  ),
  dealbreakers: words(Type.Array(Text)),
  price_firm: Type.Boolean({ description: 'the price or budget is a hard limit; otherwise a starting point' }),
  decide_within_hours: Type.Number({ description: 'how long its agent compares proposals before it agrees to one' }),
  deals_wanted: Type.Integer({ description: 'deals that its agent makes about it; 0 for any number' }),
  preferences: Type.Array(Type.Object({ label: words(Text), weight: Type.Number() })),
});

export const CompletenessShape = namedObject('Completeness', 'whether a listing is complete enough to go live', {
  complete: Type.Boolean(),
  missing: Type.Array(Text, { description: 'the fields to fill before it can go live' }),
});

const CheckStatus = named('CheckStatus', Type.Enum(['passed', 'pending', 'failed']));

/** The proofs that a listing needs; only its owner sees them. */
export const GATE_FIELDS = {
  gate_status: CheckStatus,
  gate_report: Type.Array(
    namedObject('GateCheck', 'a check that a listing has to pass before it is public', {
      check: Text,
      status: CheckStatus,
      how: Type.Optional(guidanceShape({ description: 'how to pass it; absent once passed' })),
      record: Type.Optional(
        namedObject('GateRecord', 'the DNS record (TXT) to publish, as in `how`', {
          name: Type.String(),
          value: Type.String(),
        }),
      ),
      note: Type.Optional(Type.String({ description: 'what the look-up of the record found, as in `how`' })),
      reason: Type.Optional(
        Type.String({ description: 'the trade for which an administrator refused it, as in `how`' }),
      ),
    }),
  ),
  // They include the title of a site's page.
  verified_attributes: words(
    Type.Record(Text, Type.Unknown(), {
      description:
        'measurements of the offered site, once it responded: https, http_status, robots_indexable, ' +
        'outbound_links, page_title, measured_at',
    }),
  ),
};

const PUBLIC_LISTING = {
  id: Id,
  handle: Text,
  // Derived from the headline.
  slug: words(Type.String({ description: 'unique for the handle; never changes' })),
  card_type: CardType,
  direction: Direction,
  headline: words(Text),
  description: words(Text),
  geo: words(NullableText),
  labels: wordsUnless(isTableLabel, Type.Array(Text, { description: 'folded and resolved' })),
  subcategory: NullableText,
  price_cents: Amount,
  budget_cents: Amount,
  price_period: PricePeriod,
  currency: Text,
  per_week_cents: Amount,
  per_month_cents: Amount,
  per_week: Amount,
  per_month: Amount,
  conditions: Conditions,
  fields: words(Open),
  active: Type.Boolean({ description: 'true exactly when the status is live' }),
  status: ListingStatus,
  completeness: CompletenessShape,
  verified_attributes: GATE_FIELDS.verified_attributes,
  self_reported: words(
    Type.Record(Text, Type.Unknown(), {
      description: 'figures stated by the owner, not measured',
    }),
  ),
  created_at: Time,
  updated_at: Time,
};

export const Listing = authored(
  () => null,
  namedObject('Listing', 'your own offer or seek, with its gates', {
    ...PUBLIC_LISTING,
    ...GATE_FIELDS,
  }),
);
/** A listing in a list that others read too; only its owner gets the gates. */
export const ListingSeen = authored(
  byField('handle'),
  namedObject('PublicListing', 'an offer or a seek; its gates are shown to its owner only', {
    ...PUBLIC_LISTING,
    gate_status: Type.Optional(GATE_FIELDS.gate_status),
    gate_report: Type.Optional(GATE_FIELDS.gate_report),
  }),
);

// Figures about reach, traffic and business that only a measurement could prove.
const METRICS = ['dr', 'monthly_visits', 'audience', 'subscribers', 'leads', 'revenue_cents', 'users', 'team_size'];

function selfReportedOf(fields: Row<'listings'>['fields']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => METRICS.includes(name)));
}

/** The shown amounts; empty columns are filled from tiers and fields (questions.md 37). */
function pricesOf(
  row: Row<'listings'>,
): Pick<Static<typeof Listing>, 'price_cents' | 'budget_cents' | 'per_week' | 'per_month'> {
  const prices = effectivePrices(row);
  const of = (period: string): number | null => prices.find((price) => price.period === period)?.cents ?? null;
  const main = of(row.price_period);
  return {
    price_cents: row.direction === 'offer' ? main : row.price_cents,
    budget_cents: row.direction === 'seek' ? main : row.budget_cents,
    per_week: of('week'),
    per_month: of('month'),
  };
}

/** The measured attributes; empty before a measurement. */
export function verifiedAttributes(
  row: Pick<Row<'listings'>, 'verified_attributes' | 'measured_at'>,
): Record<string, unknown> {
  if (row.verified_attributes === null || row.measured_at === null) return {};
  return { ...row.verified_attributes, measured_at: iso(row.measured_at) };
}

/** The public view of a listing. */
export function publicListing(row: Row<'listings'>, handle: string): Static<typeof ListingSeen> {
  const prices = pricesOf(row);
  const { complete, missing } = completenessOf(row);
  return {
    id: row.id,
    handle,
    slug: row.slug,
    card_type: row.card_type,
    direction: row.direction,
    headline: row.headline,
    description: row.description,
    geo: row.geo,
    labels: [...row.labels],
    subcategory: row.subcategory,
    ...prices,
    price_period: row.price_period,
    currency: row.currency,
    per_week_cents: prices.per_week,
    per_month_cents: prices.per_month,
    conditions: {
      tiers: [...row.conditions.tiers],
      dealbreakers: [...row.conditions.dealbreakers],
      price_firm: row.conditions.price_firm ?? false,
      decide_within_hours: decideWithinHours(row),
      deals_wanted: dealsWanted(row) ?? 0,
      preferences: [...row.conditions.preferences],
    },
    fields: row.fields,
    active: isActive(row.status),
    status: row.status,
    completeness: { complete, missing: [...missing] },
    verified_attributes: verifiedAttributes(row),
    self_reported: selfReportedOf(row.fields),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
