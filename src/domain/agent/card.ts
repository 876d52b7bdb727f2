// What an agent card of protocol 0.2.0 says of listings: each live one is a skill, priced as a reader of the card would
// pay it (interface.md, "Agent card"). Amounts on a card are dollars; the cents stand beside them (Q4).
import type { Direction } from '../listing/listing.ts';
import { effectivePrice, type Priced, type PricePeriod } from '../listing/price.ts';

/** The protocol that the card speaks, and the name of its taxonomy (interface.md, Versioning 2). */
export const CARD_PROTOCOL = '0.2.0';
export const CARD_TAXONOMY = 'hybrid-v3';

/** A skill is an announcement: the listing itself holds the rest. */
const DESCRIPTION_MAX = 500;

export interface Pricing {
  readonly model: string;
  readonly amount: number | null;
  readonly amount_cents: number | null;
  readonly currency: string;
}

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: string[];
  readonly metadata: {
    readonly type: string;
    readonly direction: Direction;
    /** Null where the listing names no amount. */
    readonly pricing: Pricing | null;
    readonly capacity: string | number | null;
    readonly geo: string | null;
    readonly stage: string | number | null;
    readonly dealbreakers: string[];
  };
}

/** The parts of a listing that make its skill. */
export interface Advertised extends Priced {
  readonly id: string;
  readonly headline: string;
  readonly description: string;
  readonly geo: string | null;
  readonly labels: readonly string[];
  readonly direction: Direction;
  readonly currency: string;
  readonly conditions: { readonly dealbreakers: readonly string[] } & NonNullable<Priced['conditions']>;
  readonly fields: Readonly<Record<string, unknown>>;
}

const MODELS: Readonly<Record<PricePeriod | 'unit', string>> = {
  once: 'fixed',
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
  unit: 'per_unit',
};

function pricingOf(listing: Advertised): Pricing | null {
  const price = effectivePrice(listing);
  const { pricing_model } = listing.fields;
  const said = typeof pricing_model === 'string' ? pricing_model : null;
  const { currency } = listing;
  if (price) {
    const { cents, period } = price;
    return { model: said ?? MODELS[period], amount: cents / 100, amount_cents: cents, currency };
  }
  return said === null ? null : { model: said, amount: null, amount_cents: null, currency };
}

/** The beginning of a long text; whole characters, so that none is cut in two. */
function shorten(text: string): string {
  if (text.length <= DESCRIPTION_MAX) return text;
  return `${[...text.slice(0, DESCRIPTION_MAX)].slice(0, -1).join('')}…`;
}

function plainValue(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

export function skillOf(listing: Advertised): Skill {
  const { id, headline, description, geo, labels, card_type, direction, fields, conditions } = listing;
  return {
    id,
    name: headline,
    description: shorten(description || headline),
    tags: [...labels],
    metadata: {
      type: card_type,
      direction,
      pricing: pricingOf(listing),
      capacity: plainValue(fields.capacity),
      geo,
      stage: plainValue(fields.stage),
      dealbreakers: [...conditions.dealbreakers],
    },
  };
}

/** How an agent acts: of `offer` and `seek` as its live listings do, and as one that serves calls (Q73). */
export function activeModes(
  listings: readonly { readonly direction: Direction }[],
  serves: boolean,
): (Direction | 'router_provider')[] {
  const sides = (['offer', 'seek'] as const).filter((side) => listings.some(({ direction }) => direction === side));
  return serves ? [...sides, 'router_provider'] : sides;
}
