// The call of the looks at a payout: the first right after the withdrawal, then ever more rarely as long as nothing new is known.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

const Count = Type.Optional(Type.Integer({ minimum: 0 }));

/** `looks` in a row told nothing new; `doubts` of them nothing at all. */
export const FOLLOW = {
  name: 'payout.follow',
  input: Type.Object({ payout_id: Id, looks: Count, doubts: Count }),
} as const;

export function followAt(
  at: number,
  look: { readonly payout_id: string; readonly looks?: number; readonly doubts?: number },
  now_ms: number,
): RemindEffect {
  return remind(FOLLOW, look, { at, key: look.payout_id, now_ms });
}
