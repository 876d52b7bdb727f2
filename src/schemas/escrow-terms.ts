// The terms of an escrow as its buyer gives them: at its opening, at a checkout, and to a quote that is to tell of them.
import { Type } from 'typebox';
import { EXPIRES_WITHIN_DAYS } from '../domain/escrow/terms.ts';

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
