// The call that decides a dispute for its opener when the respondent did not answer in time. Scheduled when the dispute is opened;
// a day before the deadline it reminds the respondent's person by email.

import { Type } from 'typebox';
import { DAY_MS } from '../../domain/time.ts';
import { Id } from '../../schemas/wire.ts';

export const EXPIRE_DISPUTE = {
  name: 'dispute.expire',
  input: Type.Object({ dispute_id: Id, warned: Type.Optional(Type.Literal(true)) }),
} as const;

/** Long enough to prepare an answer. */
export const WARN_BEFORE_MS = DAY_MS;
