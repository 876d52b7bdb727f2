// A match as one of its two sides sees it: `my_listing` is the reader's, `their_listing` the counterparty's (rules.md 6).
// Headlines are copies from the last scoring, so that the match stays readable after a listing is deleted.

import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { effectivePrice, PRICE_PERIODS, type Priced, type PricePeriod } from '../domain/listing/price.ts';
import type { ListingStatus } from '../domain/listing/state.ts';
import { MISSING_RULES } from '../domain/match/missing.ts';
import { expiresAt, MATCH_STATUSES, type MatchFacts, statusAt } from '../domain/match/state.ts';
import { authored, byField, words } from './authored.ts';
import { Direction } from './listing-input.ts';
import { REASONS, reasonsView } from './match-reason.ts';
import { described, named, namedObject } from './named.ts';
import { Cents, Id, iso, isoOrNull, NullableTime, nullable, Time } from './wire.ts';

const Half = namedObject('MatchedListing', 'one of the two listings of a match', {
  id: Id,
  headline: words(Type.String()),
});

const MissingRule = named(
  'MissingRule',
  Type.Enum([...MISSING_RULES], {
    description:
      'rank: fits, but not among the best 26 of either listing; declined: a side declined this pair before; floor: too ' +
      'little in common',
  }),
);

const CountedShape = namedObject('Counted', 'a name with the number of listings that it concerns', {
  name: Type.String(),
  count: Type.Integer({ minimum: 0 }),
});

const MissingValuesShape = namedObject('MissingValues', 'the figures of `change`; each rule has its own', {
  direction: Direction,
  remote: Type.Optional(Type.Integer({ minimum: 0, description: 'what allowing remote work would bring in' })),
  countries: Type.Optional(
    Type.Array(CountedShape, { description: 'what naming a country (ISO 3166) would bring in' }),
  ),
  steps: Type.Optional(
    Type.Array(
      namedObject('MissingStep', 'a change of the price or budget, and what it would bring in', {
        cents: Type.Integer({ minimum: 0 }),
        period: Type.Enum([...PRICE_PERIODS, 'unit']),
        count: Type.Integer({ minimum: 0 }),
      }),
    ),
  ),
  phrases: Type.Optional(Type.Array(CountedShape, { description: 'your dealbreakers and what they exclude' })),
  theirs: Type.Optional(Type.Integer({ minimum: 0, description: 'listings whose dealbreakers exclude yours' })),
  labelled: Type.Optional(Type.Boolean({ description: 'whether your listing has labels' })),
  most: Type.Optional(
    namedObject('MissingMost', 'of several listings, the one where the rule excludes most', {
      headline: Type.String(),
      count: Type.Integer({ minimum: 0 }),
      listings: Type.Integer({ minimum: 2 }),
    }),
  ),
});

const MissingShape = namedObject('Missing', 'candidates excluded by one rule', {
  rule: MissingRule,
  count: Type.Integer({ minimum: 0, description: 'of the compared candidates' }),
  change: Type.String({ description: 'what the owner could change, with figures from what is public' }),
  values: MissingValuesShape,
});

/** What was compared, and what the matches lack. */
export const EXPLAINED = {
  considered: Type.Integer({
    minimum: 0,
    description: 'compared candidates: the nearest, not all',
  }),
  missing: Type.Array(MissingShape, {
    description: 'by the first rule that excluded them; each candidate counts once',
  }),
};

const MySide = Type.Enum(['offer', 'seek'], { description: 'the side of your listing' });

/** A match that would exist. */
export const PreviewedShape = authored(
  byField('counterparty_handle'),
  namedObject('PreviewedMatch', 'a listing that would match a draft', {
    counterparty_handle: Type.String(),
    their_listing: Half,
    score: Type.Number({ minimum: 0, maximum: 1, description: 'the score of the pair' }),
    score_percent: Type.Integer({ minimum: 0, maximum: 100 }),
    ...REASONS,
    my_side: MySide,
  }),
);

export const MatchStatus = named(
  'MatchStatus',
  Type.Enum([...MATCH_STATUSES], {
    description:
      'expired: 30 days without an answer; superseded: a listing was removed or no longer fits, or better matches replaced it',
  }),
);

const MatchPrice = namedObject('MatchPrice', 'the price or budget of the other side', {
  is: Type.Enum(['price', 'budget']),
  amount_cents: Cents,
  period: Type.Enum([...PRICE_PERIODS, 'unit']),
});

export const MatchShape = authored(
  byField('counterparty_handle'),
  namedObject('Match', 'a match of an offer and a seek, as seen by one side', {
    match_id: Id,
    status: MatchStatus,
    score: Type.Number({ minimum: 0, maximum: 1, description: 'the score of the two listings' }),
    score_percent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'the same on the scale of wake.min_match_score',
    }),
    approved_by: Type.Array(Type.String(), { description: 'handles that said interested; both when it is mutual' }),
    ...REASONS,
    my_side: MySide,
    counterparty_handle: Type.String(),
    my_listing: authored(() => null, described('your own', Half)),
    their_listing: described('that of the counterparty', Half),
    their_price: nullable(MatchPrice, 'null if its listing has none, or was removed'),
    their_place: words(nullable(Type.String(), 'as in its listing')),
    saved: Type.Boolean({ description: 'whether you saved it; a match saved by a side does not expire' }),
    conversation_id: nullable(Id),
    created_at: Time,
    expires_at: NullableTime,
  }),
);

export type MatchView = Static<typeof MatchShape>;

/** A side of a match with its current handle and names. */
export interface Side {
  readonly id: string;
  readonly handle: string;
}

/** The fields of a row that the rules of domain/match/state.ts read. */
export function factsOf(row: Row<'matches'>): MatchFacts {
  const { status, offer_agent_id, seek_agent_id, approved_by, saved_by, created_at, ended_by } = row;
  return { status, offer_agent_id, seek_agent_id, approved_by, saved_by, created_at_ms: created_at, ended_by };
}

export function otherOf(row: Row<'matches'>, agent_id: string): string {
  return row.offer_agent_id === agent_id ? row.seek_agent_id : row.offer_agent_id;
}

/** Whether an agent sees the match: it is a party, and the other side's listing is visible (Q8). */
export function visibleTo(row: Row<'matches'>, agent_id: string): boolean {
  if (row.offer_agent_id === agent_id) return row.offer_visible === 1;
  return row.seek_agent_id === agent_id && row.seek_visible === 1;
}

/** The statuses in which other agents' listings are matched. */
const TAKING_PART: ReadonlySet<ListingStatus> = new Set(['live', 'pending_verification']);

/** The current terms of the counterparty's listing. */
export type TheirTerms = Pick<MatchView, 'their_price' | 'their_place'>;

const NO_TERMS: TheirTerms = { their_price: null, their_place: null };

type TermsRow = Omit<Priced, 'price_period' | 'conditions' | 'fields'> &
  Pick<Row<'listings'>, 'price_period' | 'conditions' | 'fields' | 'geo' | 'status'>;

/** The terms of a listing; none where it is hidden from others or deleted. */
export function termsOf(row: TermsRow | null): TheirTerms {
  if (!row || !TAKING_PART.has(row.status)) return NO_TERMS;
  // The column holds only periods of the catalogue.
  const price = effectivePrice({ ...row, price_period: row.price_period as PricePeriod });
  const is = row.direction === 'offer' ? ('price' as const) : ('budget' as const);
  return {
    their_price: price && { is, amount_cents: price.cents, period: price.period },
    their_place: row.geo,
  };
}

/** The wire shape of a match for `me`, whose counterparty is `other`. */
export function matchView(
  row: Row<'matches'>,
  me: Side,
  { other, terms }: { readonly other: Side; readonly terms: TheirTerms },
  now_ms: number,
): MatchView {
  const facts = factsOf(row);
  const offer = { id: row.offer_id, headline: row.offer_headline };
  const seek = { id: row.seek_id, headline: row.seek_headline };
  const mine = row.offer_agent_id === me.id;
  return {
    match_id: row.match_id,
    status: statusAt(facts, now_ms),
    score: row.score_ppm / 1_000_000,
    score_percent: Math.round(row.score_ppm / 10_000),
    approved_by: row.approved_by.map((id) => (id === me.id ? me.handle : other.handle)),
    ...reasonsView(row.reasons),
    my_side: mine ? 'offer' : 'seek',
    counterparty_handle: other.handle,
    my_listing: mine ? offer : seek,
    their_listing: mine ? seek : offer,
    ...terms,
    saved: row.saved_by.includes(me.id),
    conversation_id: row.conversation_id,
    created_at: iso(row.created_at),
    expires_at: isoOrNull(expiresAt(facts)),
  };
}
