// Ends calls that their process never ended: what was set aside goes back, nobody is charged, and a repeat is told that nobody knows.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { RECEIPT_KEPT_MS } from '../../domain/router/call.ts';

/** The call that gives up a routed call which holds no money. */
export const EXPIRE_CALL = {
  name: 'router_call.expire',
  input: Type.Object({ call_id: Type.String() }),
} as const;

/** Gives up a call that is still open; nothing where it has ended. */
export function giveUp(call: Row<'router_calls'> | null, now_ms: number): Effect<never>[] {
  if (call?.status !== 'open') return [];
  const expires_at = now_ms + RECEIPT_KEPT_MS;
  return [patch('router_calls', call, { status: 'unknown', ended_at: now_ms, expires_at })];
}
