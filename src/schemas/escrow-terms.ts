// The terms of an escrow as they are given: at its opening, at a checkout, in a proposal, and to a quote that is to tell of them; and as
// both sides read those of a proposal or a deal.
import { type Static, Type } from 'typebox';
import { EXPIRES_WITHIN_DAYS, type FixedTerms, NO_TERMS } from '../domain/escrow/terms.ts';
import { namedObject } from './named.ts';
import { isoOrNull, NullableTime } from './wire.ts';

/** Both may be left out: then the buyer releases. */
export const ESCROW_TERMS = {
  auto_release_after_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 90,
      description: 'what was delivered is released so many days later, unless you say otherwise; never, unless given',
    }),
  ),
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: `what is not delivered by then comes back; within ${EXPIRES_WITHIN_DAYS} days; never, unless given`,
    }),
  ),
};

export const EscrowTermsShape = namedObject(
  'EscrowTerms',
  'the terms of an escrow; where both are null, the buyer releases',
  {
    auto_release_after_days: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    expires_at: NullableTime,
  },
);

/** The wire shape of terms; of none where there are none. */
export function escrowTermsView(terms: FixedTerms | null): Static<typeof EscrowTermsShape> {
  const { auto_release_after_days, expires_at } = terms ?? NO_TERMS;
  return { auto_release_after_days, expires_at: isoOrNull(expires_at) };
}
