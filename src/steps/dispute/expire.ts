// The call that decides a dispute for its opener when nobody answered it in time. Armed when it is opened; a day before its time it
// reminds the respondent's person by letter.

import { Type } from 'typebox';
import { DAY_MS } from '../../domain/time.ts';
import { Id } from '../../schemas/wire.ts';

export const EXPIRE_DISPUTE = {
  name: 'dispute.expire',
  input: Type.Object({ dispute_id: Id, warned: Type.Optional(Type.Literal(true)) }),
} as const;

/** Long enough to look up what there is to say. */
export const WARN_BEFORE_MS = DAY_MS;
