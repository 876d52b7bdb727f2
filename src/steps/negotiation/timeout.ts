// Actions that a policy allows when its person has not answered in time: a reminder runs from the question until the answer. And the
// daily number of letters about proposals to that person.
import { Type } from 'typebox';
import { count, type Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, unremind } from '../reminder.ts';

/** The call by which it happens. */
export const TIME_OUT = { name: 'action.time_out', input: Type.Object({ action_id: Id }) } as const;

/** Schedules the action for its timeout, if a policy allows it. */
export function timed({ id, on_timeout, respond_by }: Row<'actions'>, now_ms: number): Effect<never>[] {
  return on_timeout === 'allow' ? [remind(TIME_OUT, { action_id: id }, { at: respond_by, key: id, now_ms })] : [];
}

/** Cancels the timeout. */
export function untimed({ id, on_timeout }: Row<'actions'>): Effect<never>[] {
  return on_timeout === 'allow' ? [unremind(TIME_OUT, id)] : [];
}

/** Letters of a day (UTC) about one account's proposals; one letter at its end covers the rest. */
export const LETTERS_MAX = 10;

export function keyOf(to_id: string, { account_id }: Pick<Row<'agents'>, 'account_id'>, now_ms: number): string {
  return `proposal_letters:${to_id}:${account_id}:${dayOf(now_ms)}`;
}

export function countLetter(to_id: string, by: Pick<Row<'agents'>, 'account_id'>, now_ms: number): Effect<never> {
  return count(keyOf(to_id, by, now_ms), Number.MAX_SAFE_INTEGER, 'again', now_ms + 2 * DAY_MS);
}
