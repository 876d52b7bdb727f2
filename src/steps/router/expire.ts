// The end of a routed call: its answer, stored encrypted; dispatches with an unknown outcome; giving up an open call.

import { hkdfSync } from 'node:crypto';
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { TriedColumn } from '../../../db/schema/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { RECEIPT_KEPT_MS, RESULT_KEPT_MS } from '../../domain/router/call.ts';
import { SEAL_KEY_BYTES, seal } from '../../outbound/seal.ts';
import { reminderId } from '../reminder.ts';
import type { Attempted } from './dispatch.ts';

/** The call that gives up a routed call which holds no money. */
export const EXPIRE_CALL = {
  name: 'router_call.expire',
  input: Type.Object({ call_id: Type.String() }),
} as const;

/** A call, and the next provider when it was last stored. */
export interface CutOff {
  readonly call: Row<'router_calls'>;
  readonly provider: Row<'providers'> | null;
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

/** The reason of a dispatch with an unknown outcome. */
const CUT_OFF = 'cut_off';

/** An attempt in the caller's answer. */
export function triedOf({ id, agent_id }: Provider, { verdict, latency_ms }: Attempted): TriedColumn {
  const { http_status } = verdict;
  return verdict.served
    ? { provider_id: id, agent_id, outcome: 'served', reason: null, http_status, latency_ms }
    : { provider_id: id, agent_id, outcome: 'failed', reason: verdict.reason, http_status, latency_ms };
}

/** A dispatch of which only the planned start is known. */
export function unjudged(ctx: Now, call: Row<'router_calls'>, provider: Provider): Row<'router_attempts'> {
  return {
    id: ctx.id(),
    call_id: call.id,
    provider_id: provider.id,
    provider_agent_id: provider.agent_id,
    provider_account_id: provider.account_id,
    caller_account_id: call.account_id,
    capability: call.capability,
    host: URL.parse(provider.endpoint_url)?.host ?? '',
    outcome: 'unknown',
    reason: CUT_OFF,
    http_status: null,
    latency_ms: null,
    price_cents: 0,
    fee_cents: 0,
    counted: 0,
    gathered_at: null,
    created_at: ctx.now_ms,
    expires_at: ctx.now_ms + RECEIPT_KEPT_MS,
    version: 1,
  };
}

/** A dispatch whose end was not seen: the attempt that its caller is told of, and its row, which no figures count. */
function cutOff(
  ctx: Now,
  call: Row<'router_calls'>,
  provider: Provider,
): { readonly tried: TriedColumn; readonly effects: Effect<never>[] } {
  const row = { ...unjudged(ctx, call, provider), gathered_at: ctx.now_ms };
  const { outcome, reason, http_status, latency_ms } = row;
  return {
    tried: { provider_id: provider.id, agent_id: provider.agent_id, outcome, reason, http_status, latency_ms },
    effects: [insert('router_attempts', row)],
  };
}

export const GATHER = { name: 'provider.gather', input: Type.Object({}) } as const;

export const GATHER_ID = reminderId(GATHER, '');

export const GATHER_MS = 30_000;

export type Now = Pick<Ctx, 'id'> & { readonly now_ms: number };

export type Provider = Row<'providers'>;

export type Sealing = Pick<Ctx, 'secrets'>;

export function keyOf({ secrets }: Sealing, call_id: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secrets.seal_key, call_id, 'meshwork router result', SEAL_KEY_BYTES));
}

/** A longer free answer is not stored: a repeat gets the receipt, and the caller may call again. */
const FREE_BYTES_MAX = 65_536;

export function keepResult(
  ctx: Sealing,
  { id, charged }: { readonly id: string; readonly charged: boolean },
  result: unknown,
  now_ms: number,
): Effect<never>[] {
  const text = JSON.stringify(result);
  if (!charged && Buffer.byteLength(text) > FREE_BYTES_MAX) return [];
  const sealed = seal(keyOf(ctx, id), text, id);
  return [insert('router_results', { id, sealed, expires_at: now_ms + RESULT_KEPT_MS })];
}
