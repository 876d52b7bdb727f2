// The input of a listing, one schema for every operation that writes one. Names follow interface.md, Listing and rules.md
// 5; `null` clears an optional field.
import { type Static, Type } from 'typebox';
import {
  DEALS_WANTED_MAX,
  DECIDE_WITHIN_MAX_HOURS,
  MAX_DEALBREAKERS,
  MAX_TIERS,
} from '../domain/listing/conditions.ts';
import { MAX_LABELS } from '../domain/listing/label.ts';
import { CARD_TYPES, DIRECTIONS } from '../domain/listing/listing.ts';
import { BILLINGS, PRICE_PERIODS } from '../domain/listing/price.ts';
import { LISTING_STATUSES } from '../domain/listing/state.ts';
import { described, named, namedObject } from './named.ts';
import { toolsRead } from './next-step.ts';
import { Cents, NullableCents, nullable, visibleOrBlankText, visibleText } from './wire.ts';

// Enumerations of a listing, shared by input and output.

export const CardType = named('CardType', Type.Enum([...CARD_TYPES]));
export const Direction = named('Direction', Type.Enum([...DIRECTIONS]));
export const PricePeriod = named('PricePeriod', Type.Enum([...PRICE_PERIODS]));
export const Billing = named('Billing', Type.Enum([...BILLINGS]));
export const ListingStatus = named('ListingStatus', Type.Enum([...LISTING_STATUSES]));

export const HEADLINE_MAX = 140;
const DESCRIPTION_MAX = 5_000;
/** One preference a key; the domain refuses more than 20. */
const PREFERENCES_MAX = 20;

/** Five times the length of a stored label: people write more than is kept. */
export const LABEL_TEXT_MAX = 200;
export const LabelText = Type.String({ maxLength: LABEL_TEXT_MAX });

/** Labels as people write them; replies show them normalised. */
const LabelTexts = Type.Array(LabelText, {
  maxItems: MAX_LABELS,
  description: 'Folded to a-z 0-9 and hyphens, aliases resolved; replaces the whole set',
});

const Tier = namedObject('TierInput', 'a tier: one of several options, with its price', {
  id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Kept if given, else generated' })),
  name: visibleText(80),
  price_cents: Cents,
  currency: Type.Optional(Type.String({ maxLength: 10, description: 'USD' })),
  billing: Type.Optional(Billing),
});

const ConditionsGiven = namedObject('ConditionsInput', 'each given part replaces the stored one', {
  tiers: Type.Optional(Type.Array(Tier, { maxItems: MAX_TIERS })),
  dealbreakers: Type.Optional(
    Type.Array(visibleText(200), {
      maxItems: MAX_DEALBREAKERS,
      description: 'Phrases that exclude the other side',
    }),
  ),
  price_firm: Type.Optional(
    Type.Boolean({
      description:
        'True makes the price or budget a hard limit. Otherwise it is a starting point: an offer up to 60 % above a budget is matched too',
    }),
  ),
  decide_within_hours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: DECIDE_WITHIN_MAX_HOURS,
      description:
        'How long the built-in negotiator compares proposals, from the first acceptable one on, before it agrees to the best; 0 takes the first. Default: 24 for a seek, 0 for an offer',
    }),
  ),
  deals_wanted: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: DEALS_WANTED_MAX,
      description:
        'Deals that the built-in negotiator makes about it; 0 for any number. Default: 1 for a seek, 0 for an offer',
    }),
  ),
  preferences: Type.Optional(
    Type.Array(Type.Object({ label: LabelText, weight: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })) }), {
      maxItems: PREFERENCES_MAX,
    }),
  ),
  weighted_preferences: Type.Optional(
    Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
      maxProperties: PREFERENCES_MAX,
      description: 'The other form of preferences: {label: weight}',
    }),
  ),
});

/** A place as text, or as the object of the intake. */
const GeoGiven = Type.Union([
  Type.String({ maxLength: 200, description: 'A location, or Remote or Global' }),
  Type.Object({
    countries: Type.Optional(Type.Array(Type.String({ maxLength: 80 }), { maxItems: 250 })),
    remote: Type.Optional(Type.Boolean()),
  }),
  Type.Null(),
]);

/** The fields of a listing, all optional: what is missing makes a draft, not a refusal. */
export const LISTING_INPUT = {
  card_type: Type.Optional(described('Optional with a subcategory', CardType)),
  direction: Type.Optional(described('Default: inferred from card_type', Direction)),
  headline: Type.Optional(visibleOrBlankText(HEADLINE_MAX)),
  description: Type.Optional(Type.String({ maxLength: DESCRIPTION_MAX })),
  geo: Type.Optional(GeoGiven),
  labels: Type.Optional(LabelTexts),
  subcategory: Type.Optional(nullable(Type.String({ maxLength: 80 }))),
  price_cents: Type.Optional(NullableCents),
  budget_cents: Type.Optional(
    described(
      'The planned, public budget of a seek, not your maximum. Optional with `fields.pricing_model: quote`',
      NullableCents,
    ),
  ),
  price_period: Type.Optional(described('The unit of the price; default: once', PricePeriod)),
  currency: Type.Optional(nullable(Type.String({ maxLength: 10 }))),
  per_week_cents: Type.Optional(described('The price per week, in addition to price_cents', NullableCents)),
  per_month_cents: Type.Optional(described('The price per month, in addition to price_cents', NullableCents)),
  per_week: Type.Optional(described('Alias of per_week_cents, also in cents', NullableCents)),
  per_month: Type.Optional(described('Alias of per_month_cents, also in cents', NullableCents)),
  conditions: Type.Optional(nullable(ConditionsGiven)),
  fields: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'Type-specific, see GET /api/listings/taxonomy; a patch changes the keys given, null removes one',
      ...toolsRead('Type-specific, see the taxonomy of listings; a change changes the keys given, null removes one'),
    }),
  ),
  active: Type.Optional(Type.Boolean({ description: 'default: true; false hides it' })),
};

export const ListingGiven = namedObject(
  'ListingInput',
  'the fields of a listing; without the fields needed to go live it is a draft',
  LISTING_INPUT,
);
export type ListingGiven = Static<typeof ListingGiven>;
