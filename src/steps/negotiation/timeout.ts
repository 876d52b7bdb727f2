// What a policy lets happen where its person has not answered in time: a reminder stands from the moment that it is asked until
// somebody answers.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
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
