// The effects of an attempt of a routed call: its row, the standing of its provider, and the figures that are gathered later.
import { type Effect, insert, patch } from '../../../../db/effects.ts';
import { agentById } from '../../../../db/queries/agent.ts';
import { reminderById } from '../../../../db/queries/reminder.ts';
import { lastAttempts, providerById, unansweredSince } from '../../../../db/queries/router.ts';
import type { Row } from '../../../../db/schema/tables.ts';
import type { Read } from '../../../../db/store.ts';
import type { Ctx } from '../../../contract/context.ts';
import { afterFailure, afterOutage, afterSuccess, isOutage, OUTAGE_MS } from '../../../domain/router/provider.ts';
import { WINDOW } from '../../../domain/router/reliability.ts';
import { type Failed, isUnanswered } from '../../../domain/router/verdict.ts';
import { tell } from '../../../steps/event.ts';
import { remind } from '../../../steps/reminder.ts';
import type { Attempted } from '../../../steps/router/dispatch.ts';
import { GATHER, GATHER_ID, GATHER_MS, type Now, type Provider, unjudged } from '../../../steps/router/expire.ts';

type Attempt = Row<'router_attempts'>;

/** Attempts that are considered. */
const LATELY_MAX = 100;

const isWithoutAnswer = ({ http_status, reason }: Attempt): boolean =>
  isUnanswered({ http_status, reason: reason ?? '' });

/** The counted failures of the last seconds, where this failure shows that they were an outage of this service; null where it is the
 * provider's own. */
async function outageWith(read: Read, failure: Attempt): Promise<readonly Attempt[] | null> {
  if (!isWithoutAnswer(failure)) return null;
  const since = failure.created_at - OUTAGE_MS;
  const lately = (await read(unansweredSince, { since, limit: LATELY_MAX })).filter(isWithoutAnswer);
  return isOutage([failure, ...lately]) ? lately.filter(({ counted }) => counted === 1) : null;
}

/** Reverts counted failures. */
async function forgive(read: Read, failures: readonly Attempt[]): Promise<Effect<never>[]> {
  const since_ms = Math.min(...failures.map(({ created_at }) => created_at));
  const ids = [...new Set(failures.map(({ provider_id }) => provider_id))];
  const providers = await Promise.all(
    ids.map(async (id) => {
      const row = await read(providerById, { id });
      const own = failures.filter(({ provider_id }) => provider_id === id);
      const gathered = own.filter(({ gathered_at }) => gathered_at !== null);
      if (!row) return [];
      const attempts = row.attempts - gathered.length;
      return [patch('providers', row, { ...afterOutage(row, own.length, since_ms), attempts })];
    }),
  );
  return [...failures.map((row) => patch('router_attempts', row, { counted: 0 })), ...providers.flat()];
}

/** The shown part of an error, for the endpoint's developer. */
const LAST_ERROR_MAX = 500;

function rowOf(
  ctx: Now,
  call: Row<'router_calls'>,
  provider: Provider,
  { verdict, latency_ms, of_provider }: Attempted,
): Row<'router_attempts'> {
  return {
    ...unjudged(ctx, call, provider),
    outcome: verdict.served ? 'served' : 'failed',
    reason: verdict.served ? null : verdict.reason,
    http_status: verdict.http_status,
    latency_ms,
    counted: of_provider ? 1 : 0,
  };
}

/** Schedules the gathering of figures, where it is not scheduled yet. */
async function gatherSoon(read: Read, now_ms: number): Promise<Effect<never>[]> {
  if (await read.peek(reminderById, { id: GATHER_ID })) return [];
  return [remind(GATHER, {}, { key: '', at: now_ms + GATHER_MS, now_ms })];
}

/** The effects of a served dispatch, at the price that its caller pays. */
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

/** The effects of a failure on its provider; the fifth in a row suspends it and tells its agent. */
async function blame(read: Read, ctx: Ctx, provider_id: string, { message }: Failed): Promise<Effect<never>[]> {
  const row = await read(providerById, { id: provider_id });
  if (!row) return [];
  const last_error = message.slice(0, LAST_ERROR_MAX);
  const { suspends, ...standing } = afterFailure(row, ctx.now_ms);
  const agent = suspends ? await read.peek(agentById, { id: row.agent_id }) : null;
  const data = { capability: row.capability, last_error, provider_id };
  return [
    patch('providers', row, { ...standing, last_error }),
    ...(agent ? [tell(ctx, agent, 'provider.suspended', data)] : []),
  ];
}

const isRefusal = (http_status: number | null): boolean =>
  http_status !== null && http_status >= 400 && http_status <= 499;

/** Whether a refusal of this caller already counted since the provider last served any call; only with `refusals_once`. */
async function isRefusedAgain(read: Read, { settings }: Ctx, row: Row<'router_attempts'>): Promise<boolean> {
  if (!settings.refusals_once || !isRefusal(row.http_status)) return false;
  const last = await read.peek(lastAttempts, { provider_id: row.provider_id, limit: WINDOW });
  const served = last.findIndex(({ outcome }) => outcome === 'served');
  const since = served < 0 ? last : last.slice(0, served);
  return since.some(
    ({ caller_account_id, counted, http_status }) =>
      caller_account_id === row.caller_account_id && counted === 1 && isRefusal(http_status),
  );
}

/** The effects of a failed dispatch. */
export async function failed(
  read: Read,
  ctx: Ctx & Now,
  { call, provider, attempted }: { call: Row<'router_calls'>; provider: Provider; attempted: Attempted },
  verdict: Failed,
): Promise<Effect<never>[]> {
  const row = rowOf(ctx, call, provider, attempted);
  const outage = attempted.of_provider ? await outageWith(read, row) : null;
  const counted = attempted.of_provider && outage === null && !(await isRefusedAgain(read, ctx, row));
  return [
    insert('router_attempts', { ...row, counted: counted ? 1 : 0 }),
    ...(counted ? await blame(read, ctx, provider.id, verdict) : await forgive(read, outage ?? [])),
    ...(await gatherSoon(read, ctx.now_ms)),
  ];
}
