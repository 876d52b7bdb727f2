// A listing as it is being written, and as the service takes it.
import { decideWithinHours } from '../../../domain/listing/conditions.ts';
import { amountOf, asLines, dollarsOf, linesOf } from '../../parts/format.ts';
import type { Said } from '../../parts/schema-fields.tsx';
import type { Input, Output } from '../../server.ts';

/** One's own listing, with what it still has to prove. */
export type OwnListing = Output<'listing.read'>;

type CardType = OwnListing['card_type'];
type Direction = OwnListing['direction'];
/** A label that one would like to find on the other side, and how much so, from 0 to 1. */
export type Preference = OwnListing['conditions']['preferences'][number];
type Tier = OwnListing['conditions']['tiers'][number];

/** A tier as it is being written; one that is new has no id yet. */
export interface TierDraft {
  readonly id: string | undefined;
  readonly name: string;
  readonly amount: string;
  readonly billing: Tier['billing'];
}

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
  readonly tiers: readonly TierDraft[];
  readonly dealbreakers: string;
  /** Hours; empty is the default of its direction. */
  readonly decide_within: string;
  readonly preferences: readonly Preference[];
  readonly fields: Said;
}

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
  tiers: [],
  dealbreakers: '',
  decide_within: '',
  preferences: [],
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
    tiers: conditions.tiers.map(({ id, name, price_cents: cents, billing }) => ({
      id,
      name,
      amount: dollarsOf(cents),
      billing,
    })),
    dealbreakers: asLines(conditions.dealbreakers),
    decide_within: String(conditions.decide_within_hours),
    preferences: conditions.preferences,
    fields: listing.fields,
  };
}

const DECIDE_HOURS = [0, 1, 6, 24, 48];

/** The times to compare offers that a form shows: the usual ones, and the listing's own. */
export function decideTimes({ decide_within }: Draft): string[] {
  const own = decide_within === '' ? [] : [Number(decide_within)];
  const hours = [...new Set([...DECIDE_HOURS, ...own])].toSorted((a, b) => a - b);
  return hours.map(String);
}

/** The chosen time; until one is chosen, the default of the direction. */
export function decideTime({ decide_within, direction }: Draft): string {
  return decide_within === '' ? String(decideWithinHours({ direction, conditions: {} })) : decide_within;
}

const isBlank = ({ name, amount }: TierDraft): boolean => name.trim() === '' && amount.trim() === '';
const isWhole = ({ name, amount }: TierDraft): boolean => name.trim() !== '' && typeof amountOf(amount) === 'number';

/** Whether the amounts can be sent: the listing's own, and those of all tiers that were begun. */
export function hasAmount({ amount, tiers }: Draft): boolean {
  return amountOf(amount) !== undefined && tiers.every((tier) => isBlank(tier) || isWhole(tier));
}

/** The tiers that say enough; a seek has none. */
function tiersOf({
  direction,
  tiers,
}: Draft): NonNullable<NonNullable<Input<'listing.create'>['conditions']>['tiers']> {
  const whole = direction === 'offer' ? tiers.filter(isWhole) : [];
  return whole.map(({ id, name, amount, billing }) => ({
    ...(id !== undefined && { id }),
    name: name.trim(),
    price_cents: amountOf(amount) ?? 0,
    billing,
  }));
}

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
    conditions: {
      dealbreakers: linesOf(draft.dealbreakers),
      ...(draft.decide_within !== '' && { decide_within_hours: Number(draft.decide_within) }),
      preferences: [...draft.preferences],
      tiers: tiersOf(draft),
    },
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
