// How a call ends: served, its price paid out of what was set aside, or failed, and all of that given back. One turn each, which finds the
// call open or writes nothing: a call that was given up meanwhile is never charged.
import { count, type Effect, patch } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { routerCallById } from '../../../db/queries/router.ts';
import { holdById } from '../../../db/queries/wallet.ts';
import type { TriedColumn } from '../../../db/schema/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { fault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { RECEIPT_KEPT_MS } from '../../domain/router/call.ts';
import { chargedCents, type Failed, type Served } from '../../domain/router/verdict.ts';
import { settleHold, voidHold } from '../money/hold.ts';
import { unremind } from '../reminder.ts';
import { failed, served, triedOf } from './attempt.ts';
import type { Attempted } from './dispatch.ts';
import { EXPIRE_CALL } from './expire.ts';
import { monthCounters } from './month.ts';
import { keepResult } from './result.ts';

type Call = Row<'router_calls'>;
type EndFault = 'conflict' | 'spending_limit' | 'outcome_unknown';
type Ended = Decision<Call, EndFault>;

/** A dispatch and what came of it. */
export interface Done {
  readonly call: Call;
  readonly provider: Row<'providers'>;
  readonly attempted: Attempted;
}

/** The refusal of an end that comes too late: the call was given up. */
function tooLate({ id }: Call) {
  return fault('outcome_unknown', undefined, { status: 'unknown', call_id: id });
}

/** The reminder that would give the call up; one that holds money has that of its hold, which goes with it. */
function settled({ id, hold_id }: Call): Effect<never>[] {
  return hold_id === null ? [unremind(EXPIRE_CALL, id)] : [];
}

/** Pays a provider out of what was set aside, and gives the rest back. */
async function pay(read: Read, ctx: Ctx, { call, provider }: Done, price_cents: number) {
  const hold = call.hold_id === null ? null : await read(holdById, { id: call.hold_id });
  if (!hold) return { fee_cents: 0, effects: [] };
  if (price_cents === 0) return { fee_cents: 0, effects: voidHold(ctx, hold) };
  const plan = (await read.peek(accountById, { id: provider.account_id }))?.plan ?? 'free';
  const fee_bps = PLANS[plan].router_fee_bps;
  return settleHold(ctx, hold, { to_id: provider.agent_id, paid_cents: price_cents, fee_bps });
}

/** The turn that ends a call with an answer. `took_ms` is the whole call's. */
export async function endServed(
  read: Read,
  ctx: Ctx,
  done: Done,
  { verdict, tried, took_ms }: { verdict: Served; tried: readonly TriedColumn[]; took_ms: number },
): Promise<Ended> {
  const { provider, attempted } = done;
  const call = await read(routerCallById, { id: done.call.id });
  if (call?.status !== 'open') return tooLate(done.call);
  const fixed = call.candidates.find(({ provider_id }) => provider_id === provider.id)?.price_cents ?? 0;
  const price_cents = chargedCents(verdict, fixed);
  const paid = await pay(read, ctx, done, price_cents);
  // The hold ended before its call did, which its reminder does in one turn.
  if (!paid) return tooLate(call);
  const { fee_cents } = paid;
  const isCharged = price_cents > 0;
  const set = {
    status: 'served' as const,
    attempts: [...tried, triedOf(provider, attempted)],
    provider_agent_id: provider.agent_id,
    price_cents,
    fee_cents,
    usage: verdict.usage,
    latency_ms: took_ms,
    ended_at: ctx.now_ms,
    expires_at: isCharged ? null : ctx.now_ms + RECEIPT_KEPT_MS,
  };
  return {
    reply: { ...call, ...set },
    effects: [
      patch('router_calls', call, set),
      ...paid.effects,
      ...(await served(read, ctx, { call, provider, attempted }, { price_cents, fee_cents })),
      ...(isCharged
        ? monthCounters(call.agent_id, ctx.now_ms).map(([key, of], at) =>
            countMonth(key, of, at === 0 ? 1 : price_cents),
          )
        : []),
      // A free answer is only asked for again by its key.
      ...(isCharged || call.claim !== null
        ? keepResult(ctx, { id: call.id, charged: isCharged }, verdict.result, ctx.now_ms)
        : []),
      ...settled(call),
    ],
  };
}

const countMonth = (key: string, expires_at: number, by: number): Effect<never> =>
  count(key, Number.MAX_SAFE_INTEGER, 'again', expires_at, by);

/** The turn that writes a failure down while others are still to be asked, for the call too, so that it is known whatever becomes of
 * this process. */
export async function noteFailed(
  read: Read,
  ctx: Ctx,
  done: Done & { readonly verdict: Failed },
  tried: readonly TriedColumn[],
): Promise<Decision<null, EndFault>> {
  const call = await read(routerCallById, { id: done.call.id });
  if (call?.status !== 'open') return tooLate(done.call);
  const effects = await failed(read, ctx, done, done.verdict);
  return { reply: null, effects: [patch('router_calls', call, { attempts: [...tried] }), ...effects] };
}

/** The turn that ends a call without an answer, its last failure included. */
export async function endFailed(
  read: Read,
  ctx: Ctx,
  {
    call: { id },
    last,
    tried,
  }: { call: Call; last: (Done & { verdict: Failed }) | null; tried: readonly TriedColumn[] },
): Promise<Ended> {
  const call = await read(routerCallById, { id });
  // Whoever was asked last stands among the attempts of a call that was given up, as unknown.
  if (call?.status !== 'open') return fault('outcome_unknown', undefined, { status: 'unknown', call_id: id });
  const noted = last ? await failed(read, ctx, last, last.verdict) : [];
  const hold = call.hold_id === null ? null : await read(holdById, { id: call.hold_id });
  const set = {
    status: 'failed' as const,
    attempts: tried,
    // The same key may make another call.
    claim: null,
    ended_at: ctx.now_ms,
    expires_at: ctx.now_ms + RECEIPT_KEPT_MS,
  };
  return {
    reply: { ...call, ...set },
    effects: [patch('router_calls', call, set), ...(hold ? voidHold(ctx, hold) : []), ...noted, ...settled(call)],
  };
}
