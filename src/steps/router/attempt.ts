// What one dispatch leaves behind: its row, which the provider's figures are counted from, and the provider's streak. A provider that
// serves and had no failure before is not written to.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { reminderById } from '../../../db/queries/reminder.ts';
import { providerById, unansweredSince } from '../../../db/queries/router.ts';
import type { TriedColumn } from '../../../db/schema/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { RECEIPT_KEPT_MS } from '../../domain/router/call.ts';
import { isOutage, OUTAGE_MS } from '../../domain/router/outage.ts';
import { afterFailure, afterOutage, afterSuccess } from '../../domain/router/provider.ts';
import { type Failed, isUnanswered } from '../../domain/router/verdict.ts';
import type { Ctx } from '../../operations/context.ts';
import { tell } from '../event.ts';
import { remind } from '../reminder.ts';
import type { Attempted } from './dispatch.ts';
import { GATHER, GATHER_ID, GATHER_MS } from './gather.ts';

type Provider = Row<'providers'>;
type Now = Pick<Ctx, 'id'> & { readonly now_ms: number };

/** An attempt as its caller is told. */
export function triedOf({ id, agent_id }: Provider, { verdict, latency_ms }: Attempted): TriedColumn {
  const { http_status } = verdict;
  return verdict.served
    ? { provider_id: id, agent_id, outcome: 'served', reason: null, http_status, latency_ms }
    : { provider_id: id, agent_id, outcome: 'failed', reason: verdict.reason, http_status, latency_ms };
}

function rowOf(
  ctx: Now,
  call: Row<'router_calls'>,
  provider: Provider,
  { verdict, latency_ms, of_provider }: Attempted,
): Row<'router_attempts'> {
  return {
    id: ctx.id(),
    call_id: call.id,
    provider_id: provider.id,
    provider_agent_id: provider.agent_id,
    provider_account_id: provider.account_id,
    caller_account_id: call.account_id,
    capability: call.capability,
    host: URL.parse(provider.endpoint_url)?.host ?? '',
    outcome: verdict.served ? 'served' : 'failed',
    reason: verdict.served ? null : verdict.reason,
    http_status: verdict.http_status,
    latency_ms,
    price_cents: 0,
    fee_cents: 0,
    counted: of_provider ? 1 : 0,
    gathered_at: null,
    created_at: ctx.now_ms,
    expires_at: ctx.now_ms + RECEIPT_KEPT_MS,
    version: 1,
  };
}

/** Has the figures gathered soon, where nobody has asked for that yet. */
async function gatherSoon(read: Read, now_ms: number): Promise<Effect<never>[]> {
  if (await read.peek(reminderById, { id: GATHER_ID })) return [];
  return [remind(GATHER, {}, { key: '', at: now_ms + GATHER_MS, now_ms })];
}

/** What a served dispatch leaves behind, at the price that its caller pays. */
export async function served(
  read: Read,
  ctx: Now,
  { call, provider, attempted }: { call: Row<'router_calls'>; provider: Provider; attempted: Attempted },
  { price_cents, fee_cents }: { readonly price_cents: number; readonly fee_cents: number },
): Promise<Effect<never>[]> {
  const row = rowOf(ctx, call, provider, attempted);
  const expires_at = price_cents > 0 ? null : row.expires_at;
  const seen = await read.peek(providerById, { id: provider.id });
  const failing = seen && afterSuccess(seen) ? await read(providerById, { id: provider.id }) : null;
  const standing = failing && afterSuccess(failing);
  return [
    insert('router_attempts', { ...row, price_cents, fee_cents, expires_at }),
    ...(failing && standing ? [patch('providers', failing, standing)] : []),
    ...(await gatherSoon(read, ctx.now_ms)),
  ];
}

/** The attempts of the last seconds that a failure without an answer shows to be of our own making; empty where it is the provider's. */
async function outageWith(read: Read, row: Row<'router_attempts'>, failed: Failed): Promise<Row<'router_attempts'>[]> {
  if (!isUnanswered(failed)) return [];
  const lately = await read(unansweredSince, { since: row.created_at - OUTAGE_MS, limit: 100 });
  return isOutage([row, ...lately]) ? lately : [];
}

/** Takes failures back that say nothing of their providers. */
async function forgive(
  read: Read,
  lately: readonly Row<'router_attempts'>[],
  but_id: string,
): Promise<Effect<never>[]> {
  const counted = lately.map((row) => patch('router_attempts', row, { counted: 0 }));
  const ids = [...new Set(lately.map(({ provider_id }) => provider_id))].filter((id) => id !== but_id);
  const since_ms = Math.min(...lately.map(({ created_at }) => created_at));
  const providers = await Promise.all(
    ids.map(async (id) => {
      const row = await read(providerById, { id });
      const failures = lately.filter(({ provider_id }) => provider_id === id).length;
      return row ? [patch('providers', row, afterOutage(row, failures, since_ms))] : [];
    }),
  );
  return [...counted, ...providers.flat()];
}

/** What a failed dispatch leaves behind; the fifth in a row takes its provider out of rotation, and tells it. */
export async function failed(
  read: Read,
  ctx: Ctx & Now,
  { call, provider, attempted }: { call: Row<'router_calls'>; provider: Provider; attempted: Attempted },
  verdict: Failed,
): Promise<Effect<never>[]> {
  const row = rowOf(ctx, call, provider, attempted);
  const lately = attempted.of_provider ? await outageWith(read, row, verdict) : [];
  const counted = attempted.of_provider && lately.length === 0;
  const now = await read(providerById, { id: provider.id });
  const own = lately.filter(({ provider_id }) => provider_id === provider.id).length;
  const since_ms = ctx.now_ms - OUTAGE_MS;
  const written: Effect<never>[] = [insert('router_attempts', { ...row, counted: counted ? 1 : 0 })];
  const last_error = verdict.message.slice(0, 500);
  if (now && counted) {
    const { suspends, ...standing } = afterFailure(now, ctx.now_ms);
    const agent = suspends ? await read.peek(agentById, { id: now.agent_id }) : null;
    const data = { capability: now.capability, last_error, provider_id: now.id };
    written.push(patch('providers', now, { ...standing, last_error }));
    if (agent) written.push(tell(ctx, agent, 'provider.suspended', data));
  } else if (now && own > 0) written.push(patch('providers', now, afterOutage(now, own, since_ms)));
  return [...written, ...(await forgive(read, lately, provider.id)), ...(await gatherSoon(read, ctx.now_ms))];
}
