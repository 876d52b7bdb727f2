// The call that closes a request for quotes when its time is over. Armed when it is posted, moved when it is extended.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

export const CLOSE_DUE = { name: 'demand.close_due', input: Type.Object({ request_id: Id }) } as const;

/** Closes a request at its time. */
export function closeLater(
  request: { readonly id: string; readonly closes_at: number },
  now_ms: number,
): Effect<never> {
  return remind(CLOSE_DUE, { request_id: request.id }, { at: request.closes_at, key: request.id, now_ms });
}
