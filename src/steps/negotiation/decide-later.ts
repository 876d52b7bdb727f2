// The time at which an agent decides on the proposals that it compares for a listing.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** The call that decides. `asked` is the proposal about which its person was asked, `tried` the one that its agent was to agree to. */
export const DECIDE = {
  name: 'listing.decide',
  input: Type.Object({ listing_id: Id, asked: Type.Optional(Id), tried: Type.Optional(Id) }),
} as const;

/** What was done about the best. */
export interface Done {
  readonly asked?: string;
  readonly tried?: string;
}

/** Has it decide at a time, or look again then. */
export function decideAt(listing_id: string, at: number, now_ms: number, done: Done = {}): RemindEffect {
  const input = { listing_id, ...done };
  return remind(DECIDE, input, { at: Math.max(at, now_ms), key: listing_id, now_ms });
}
