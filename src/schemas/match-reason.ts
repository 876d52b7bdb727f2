// The reasons of a match on the wire: an English clause each for readers, and the code with its values for clients that write their own text.
import { type Static, Type } from 'typebox';
import { PRICE_PERIODS } from '../domain/listing/price.ts';
import { AMOUNT_NAMES, type Reason } from '../domain/match/reason.ts';
import { reasonClause } from '../domain/match/reason-clause.ts';
import { named } from './named.ts';
import { Cents } from './wire.ts';

const MatchReason = named(
  'MatchReason',
  Type.Union(
    [
      Type.Object({
        code: Type.Enum(['shared_labels', 'preferred_labels']),
        labels: Type.Array(Type.String(), { description: 'at most four' }),
        more: Type.Integer({ minimum: 0, description: 'how many more there are' }),
      }),
      Type.Object({
        code: Type.Literal('close_meaning'),
        closeness: Type.Number({ description: 'similarity of the two texts, 1 for equal ones' }),
      }),
      Type.Object({
        code: Type.Enum(['price_within', 'price_above']),
        amount: Type.Enum([...AMOUNT_NAMES], {
          description: 'price: a price and a budget; pay: asked pay and a budget; ticket: a ticket and a round',
        }),
        price_cents: Cents,
        budget_cents: Cents,
        period: Type.Enum([...PRICE_PERIODS]),
      }),
      Type.Object({
        code: Type.Enum(['same_place', 'covered_place']),
        place: Type.String({ description: 'a city in small letters, or the code of a region or country' }),
      }),
      Type.Object({ code: Type.Literal('both_trusted'), trust_score: Type.Integer({ minimum: 0, maximum: 100 }) }),
      Type.Object({ code: Type.Enum(['shared_words', 'remote', 'worldwide', 'both_quick']) }),
      Type.Object({
        code: Type.Literal('taste'),
        about: Type.Enum(['label', 'place', 'price', 'agent']),
        what: Type.String({ description: 'the label or place' }),
        answers: Type.Integer({ minimum: 0, description: 'number of your answers of this kind' }),
        liked: Type.Boolean(),
        blocked: Type.Boolean(),
        earlier: Type.Boolean({ description: 'whether it moves the match up or down' }),
      }),
    ],
    { description: 'a reason for a match, as a code with its values' },
  ),
);

export const REASONS = {
  reasons: Type.Array(Type.String(), { description: 'reasons for the pair, strongest first' }),
  reason_details: Type.Array(MatchReason, { description: 'the same as codes with values, in the same order' }),
};

type ReasonsView = { reasons: string[]; reason_details: Static<typeof MatchReason>[] };

/** Reasons as both fields of the wire. */
export function reasonsView(reasons: readonly Reason[]): ReasonsView {
  return {
    reasons: reasons.map(reasonClause),
    reason_details: reasons.map((reason) => ('labels' in reason ? { ...reason, labels: [...reason.labels] } : reason)),
  };
}
