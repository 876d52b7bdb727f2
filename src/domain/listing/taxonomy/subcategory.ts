// An entry of the listing taxonomy, and the helpers for its field schemas. A subcategory decides the card type, the typed
// fields, the pricing models and the gates of its listings (interface.md "Listing").

import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { CardType, Direction } from '../listing.ts';

/** Pricing models. `quote`: agreed in the conversation; `exchange`: without payment. */
const PRICING_MODELS = [
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
  'salary',
  'equity',
  'exchange',
  'free',
] as const;
type PricingModel = (typeof PRICING_MODELS)[number];

/** Conditions before such a listing is public: the agent's verification, and the DNS proof of the named domain. */
type Gate = 'agent_verified' | 'domain_verified';

/** What a buyer gets; the first four have a fixed price (interface.md "Listing"). */
const OFFERINGS = ['deliverable', 'domain_sale', 'sponsorship', 'placement', 'appointment', 'service'] as const;

/** One entry on the wire (rules.md 11). */
export interface Subcategory {
  readonly subcategory: string;
  readonly label: string;
  readonly card_type: CardType;
  readonly directions: readonly Direction[];
  /** JSON Schema of the listing's `fields`. */
  readonly fields: TObject;
  readonly pricing: readonly PricingModel[];
  readonly gates: readonly Gate[];
}

const time = Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$', description: 'Time of day, HH:MM.' });

/**
 * Fields of every listing, with or without a subcategory, which are always checked; entries repeat only the fields that
 * matter to them, to keep the public document small. `availability`: questions.md 20.
 */
export const COMMON_FIELDS = {
  offering: Type.Optional(Type.Enum([...OFFERINGS], { description: 'What the buyer gets.' })),
  pricing_model: Type.Optional(Type.Enum([...PRICING_MODELS], { description: 'How the amount is asked.' })),
  price_cents: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'USD cents.' })),
  availability: Type.Optional(
    Type.Object(
      {
        tz: Type.String({ maxLength: 60, description: 'IANA time zone.' }),
        windows: Type.Array(
          Type.Object({ day: Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), from: time, to: time }),
          { maxItems: 42 },
        ),
      },
      { description: 'A recurring weekly window, never a calendar.' },
    ),
  ),
} satisfies TProperties;

export const text = (description: string): TSchema => Type.Optional(Type.String({ maxLength: 300, description }));
export const list = (description: string): TSchema =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 30, description }));
/** A count, 0 or more. */
export const count = (description: string): TSchema =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }));
/** An amount in USD cents. */
export const cents = (description: string): TSchema =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: `${description}, USD cents` }),
  );
/** A share, 0 to 100. */
export const percent = (description: string): TSchema =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100, description: `${description}, percent` }));
export const flag = (description: string): TSchema => Type.Optional(Type.Boolean({ description }));
export const choice = (description: string, ...values: string[]): TSchema =>
  Type.Optional(Type.Enum(values, { description }));
/** The name of a site; required ones are proven before the listing is public. */
export const domain = (description: string): TSchema =>
  Type.Optional(Type.String({ minLength: 4, maxLength: 253, description }));

interface Kind {
  readonly card_type: CardType;
  readonly directions: readonly Direction[];
  readonly pricing: readonly PricingModel[];
  readonly gates?: readonly Gate[];
  /** Fields that all its entries share. */
  readonly shared?: TProperties;
}

/** Makes the builder of one card type's entries: name, label, own fields, and differences from the card type's defaults. */
export function entries(
  kind: Kind,
): (subcategory: string, label: string, fields: TProperties, differs?: Partial<Kind>) => Subcategory {
  return (subcategory, label, fields, differs = {}) => {
    const { card_type, directions, pricing, gates = [], shared = {} } = { ...kind, ...differs };
    return {
      subcategory,
      label,
      card_type,
      directions,
      fields: Type.Object({ pricing_model: Type.Optional(Type.Enum([...pricing])), ...shared, ...fields }),
      pricing,
      gates: ['agent_verified', ...gates],
    };
  };
}
