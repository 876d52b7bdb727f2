// What a policy lets happen where its person has not answered in time: a reminder stands from the moment that it is asked until
// somebody answers. And how many letters about proposals that person gets on a day.
import { Type } from 'typebox';
import { count, type Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { DAY_MS } from '../../domain/time.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, unremind } from '../reminder.ts';

/** The call by which it happens. */
export const TIME_OUT = { name: 'action.time_out', input: Type.Object({ action_id: Id }) } as const;

/** Has it happen when the time is over, where a policy says so. */
export function timed({ id, on_timeout, respond_by }: Row<'actions'>, now_ms: number): Effect<never>[] {
  return on_timeout === 'allow' ? [remind(TIME_OUT, { action_id: id }, { at: respond_by, key: id, now_ms })] : [];
}

/** It was answered. */
export function untimed({ id, on_timeout }: Row<'actions'>): Effect<never>[] {
  return on_timeout === 'allow' ? [unremind(TIME_OUT, id)] : [];
}

/** So many of a day (UTC); whoever puts more has one written about the rest at its end. */
export const LETTERS_MAX = 10;

export function keyOf(to_id: string, { account_id }: Pick<Row<'agents'>, 'account_id'>, now_ms: number): string {
  return `proposal_letters:${to_id}:${account_id}:${new Date(now_ms).toISOString().slice(0, 10)}`;
}

export function countLetter(to_id: string, by: Pick<Row<'agents'>, 'account_id'>, now_ms: number): Effect<never> {
  return count(keyOf(to_id, by, now_ms), Number.MAX_SAFE_INTEGER, 'again', now_ms + 2 * DAY_MS);
}
