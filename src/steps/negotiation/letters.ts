// How many letters at once a person gets about proposals outside the bounds by one account: who puts them in many conversations, one for each
// match, writes no more of them than in one.

import { count, type Effect } from '../../../db/effects.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { DAY_MS } from '../../domain/time.ts';

/** So many of a day (UTC); whoever puts more has one written about the rest at its end. */
export const LETTERS_MAX = 10;

function keyOf(to_id: string, { account_id }: Pick<Row<'agents'>, 'account_id'>, now_ms: number): string {
  return `proposal_letters:${to_id}:${account_id}:${new Date(now_ms).toISOString().slice(0, 10)}`;
}

/** The letters of today to the person of an agent, about what one agent's account put. */
export async function readLetters(
  read: Read,
  to_id: string,
  by: Pick<Row<'agents'>, 'account_id'>,
  now_ms: number,
): Promise<number> {
  return (await read.peek(counterById, { id: keyOf(to_id, by, now_ms) }))?.n ?? 0;
}

export function countLetter(to_id: string, by: Pick<Row<'agents'>, 'account_id'>, now_ms: number): Effect<never> {
  return count(keyOf(to_id, by, now_ms), Number.MAX_SAFE_INTEGER, 'again', now_ms + 2 * DAY_MS);
}
