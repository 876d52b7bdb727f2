// A listing as it is being written, and as the service takes it.
import { amountOf, dollarsOf } from '../../parts/amount.ts';
import { asLines, linesOf } from '../../parts/lines.ts';
import type { Said } from '../../parts/schema-fields.tsx';
import type { Input, Output } from '../../server.ts';

/** One's own listing, with what it still has to prove. */
export type OwnListing = Output<'listing.read'>;

type CardType = OwnListing['card_type'];
type Direction = OwnListing['direction'];

/** What stands in the form. */
export interface Draft {
  readonly card_type: CardType;
  readonly direction: Direction;
  readonly subcategory: string;
  readonly headline: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly amount: string;
  readonly price_period: OwnListing['price_period'];
  readonly geo: string;
  readonly dealbreakers: string;
  readonly fields: Said;
}

/** A form with nothing in it. */
export const BLANK: Draft = {
  card_type: 'selling',
  direction: 'offer',
  subcategory: '',
  headline: '',
  description: '',
  labels: [],
  amount: '',
  price_period: 'once',
  geo: '',
  dealbreakers: '',
  fields: {},
};

/** The form of a listing that is there. */
export function draftOf(listing: OwnListing): Draft {
  const { direction, price_cents, budget_cents, conditions } = listing;
  return {
    card_type: listing.card_type,
    direction,
    subcategory: listing.subcategory ?? '',
    headline: listing.headline,
    description: listing.description,
    labels: listing.labels,
    amount: dollarsOf(direction === 'offer' ? price_cents : budget_cents),
    price_period: listing.price_period,
    geo: listing.geo ?? '',
    dealbreakers: asLines(conditions.dealbreakers),
    fields: listing.fields,
  };
}

/** Whether the amount can be sent. */
export function hasAmount({ amount }: Draft): boolean {
  return amountOf(amount) !== undefined;
}

/** The form as a new listing. */
export function inputOf(draft: Draft): Input<'listing.create'> {
  const { card_type, direction, headline, description, labels, price_period, fields } = draft;
  const cents = amountOf(draft.amount) ?? null;
  return {
    card_type,
    direction,
    headline: headline.trim(),
    description,
    labels: [...labels],
    price_period,
    fields: { ...fields },
    subcategory: draft.subcategory === '' ? null : draft.subcategory,
    geo: draft.geo.trim() === '' ? null : draft.geo.trim(),
    conditions: { dealbreakers: linesOf(draft.dealbreakers) },
    ...(direction === 'offer'
      ? { price_cents: cents, budget_cents: null }
      : { budget_cents: cents, price_cents: null }),
  };
}

/** The form as a change of a listing: what it no longer says is taken away. */
export function changeOf(listing: OwnListing, draft: Draft): Input<'listing.update'> {
  const gone = Object.keys(listing.fields).filter((name) => !(name in draft.fields));
  const fields = { ...draft.fields, ...Object.fromEntries(gone.map((name) => [name, null])) };
  const before = draftOf(listing);
  const { price_cents, budget_cents, ...rest } = inputOf(draft);
  // An amount may come from tiers or fields: it is written down only where it was typed.
  const paid = draft.amount !== before.amount || draft.direction !== before.direction;
  return {
    ...rest,
    ...(paid && { price_cents: price_cents ?? null, budget_cents: budget_cents ?? null }),
    cardId: listing.id,
    fields,
  };
}
