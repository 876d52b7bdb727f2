// Ends calls that their process never ended: what was set aside goes back, nobody is charged, and a repeat is told that nobody knows. So
// is whoever was being asked: its attempt stands among the others, and counts for nobody.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { providerById } from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { RECEIPT_KEPT_MS } from '../../domain/router/call.ts';
import { cutOff } from './attempt.ts';

/** The call that gives up a routed call which holds no money. */
export const EXPIRE_CALL = {
  name: 'router_call.expire',
  input: Type.Object({ call_id: Type.String() }),
} as const;

/** A call, and who was to be asked next when it was last written. */
export interface CutOff {
  readonly call: Row<'router_calls'>;
  readonly provider: Row<'providers'> | null;
}

/** Reads what giving up a call takes; null where it has ended. */
export async function readCutOff(read: Read, call: Row<'router_calls'> | null): Promise<CutOff | null> {
  if (call?.status !== 'open') return null;
  const tried = new Set(call.attempts.map(({ provider_id }) => provider_id));
  const next = call.candidates.find(({ provider_id }) => !tried.has(provider_id));
  return { call, provider: next ? await read.peek(providerById, { id: next.provider_id }) : null };
}

/** Gives up a call that is still open. */
export function giveUp(ctx: Pick<Ctx, 'id'> & { readonly now_ms: number }, found: CutOff | null): Effect<never>[] {
  if (!found) return [];
  const { call, provider } = found;
  const { now_ms } = ctx;
  const expires_at = now_ms + RECEIPT_KEPT_MS;
  const unknown = provider && cutOff(ctx, call, provider);
  const attempts = unknown ? [...call.attempts, unknown.tried] : call.attempts;
  return [
    patch('router_calls', call, { status: 'unknown', attempts, ended_at: now_ms, expires_at }),
    ...(unknown?.effects ?? []),
  ];
}
