// The effects on the demo world: its note begun and changed, its next step scheduled.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { DEMO_STEP_MS, type DemoWorld } from '../../domain/demo.ts';
import { fault } from '../../domain/fault.ts';
import { remind } from '../reminder.ts';
import { DEMO_NOTE, type DemoRow } from './find.ts';

/** The call that takes the world's next step. */
export const DEMO_STEP = { name: 'demo.step', input: Type.Object({}) } as const;

export function stepLater(now_ms: number, after_ms = DEMO_STEP_MS): Effect<never> {
  return remind(DEMO_STEP, {}, { at: now_ms + after_ms, key: '', now_ms });
}

export function beginDemo(world: DemoWorld): Effect<'conflict'> {
  return insert('service_notes', { id: DEMO_NOTE, value: { ...world } }, fault('conflict'));
}

export function changeDemo({ row }: DemoRow, world: DemoWorld): Effect<never> {
  return patch('service_notes', row, { value: { ...world } });
}
