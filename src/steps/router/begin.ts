// How a call begins: whom it may go to at which prices is fixed, the dearest of these is set aside, and the row that a repeat of the
// request will find is written, all in one turn and before anybody is asked.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { routerCallByClaim } from '../../../db/queries/router.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx, type FlowCtx } from '../../contract/context.ts';
import { isLet } from '../../domain/agent/policy.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { CALL_MS, givenUpAt, repeatOf } from '../../domain/router/call.ts';
import type { Handles } from '../../schemas/router.ts';
import { defaultLimitOf } from '../money/default-limit.ts';
import { NOT_ESCALATED } from '../money/escalate.ts';
import { placeHold } from '../money/hold.ts';
import { budgetFault, isSpendFault, readSpending, type SpendState, spend } from '../money/spend.ts';
import { remind } from '../reminder.ts';
import { candidates, missingFields, type Offer, readOffers, type Wanted } from './candidates.ts';
import { EXPIRE_CALL } from './expire.ts';

export interface Asked extends Wanted {
  readonly payload: Readonly<Record<string, unknown>>;
  /** The call as it came, which a person can approve where the agent's bounds refuse it. */
  readonly given: object;
}

export const CALL_FAULTS = [
  'invalid_request',
  'not_found',
  'price_above_max',
  'payment_required',
  'spending_limit',
  'outside_bounds',
  'account_restricted',
  'conflict',
  'idempotency_conflict',
  'idempotency_in_flight',
  'outcome_unknown',
] as const;
type CallFault = (typeof CALL_FAULTS)[number];

/** A call whose providers are to be asked now, or one that was made before under the same key. */
export type Begun =
  | {
      readonly call: Row<'router_calls'>;
      readonly is_repeat: false;
      /** What its candidates are called. */
      readonly handles: Handles;
    }
  | { readonly call: Row<'router_calls'>; readonly is_repeat: true };

type Opening = Decision<Begun, CallFault>;

/** What a repeat is told of the call that its key stands for; null where it may make another. */
function repeated(call: Row<'router_calls'>, claim: NonNullable<FlowCtx['claim']>, now_ms: number): Opening | null {
  switch (repeatOf(call, claim.request_hash, now_ms)) {
    case 'other':
      return fault('idempotency_conflict');
    case 'open':
      return fault('idempotency_in_flight');
    case 'unknown':
      return fault('outcome_unknown', undefined, { status: 'unknown', call_id: call.id });
    case 'served':
      return { reply: { call, is_repeat: true } };
  }
}

/** The most that one payment of the caller may be, whatever it has spent; what is dearer is no candidate. */
function dearestAllowed(ctx: Ctx, { payer }: SpendState): number {
  const { kind, budget } = ctx.principal;
  return Math.min(
    payer?.per_transaction_cents ?? Number.MAX_SAFE_INTEGER,
    defaultLimitOf(ctx, payer, 'router_call.make')?.per_transaction_cents ?? Number.MAX_SAFE_INTEGER,
    (kind === 'key' ? payer?.bounds.max_pay_cents : null) ?? Number.MAX_SAFE_INTEGER,
    budget?.per_call_cents ?? Number.MAX_SAFE_INTEGER,
    ctx.approved?.amount_cents ?? Number.MAX_SAFE_INTEGER,
  );
}

const PAYS_NOTHING: SpendState = { payer: null, paid_by_keys: 0, ...NOT_ESCALATED };

/** Whether the caller's policies let it pay a provider without asking. */
function maySpendOn(ctx: Ctx, { payer }: SpendState, provider_id: string): boolean {
  return ctx.principal.kind !== 'key' || isLet(payer?.bounds.policies, 'router_call.make', provider_id);
}

/** Those whom the caller may pay and can; where there is none, the cheapest, so that the refusal is told by the rule that it breaks. */
function payable(ctx: Ctx, state: SpendState, ranked: readonly Offer[], capability: string): readonly Offer[] {
  const { budget } = ctx.principal;
  const most = Math.min(dearestAllowed(ctx, state), state.payer?.balance_cents ?? 0);
  const fitting = ranked.filter(
    ({ agent_id, price_cents }) =>
      (price_cents === 0 || (price_cents <= most && maySpendOn(ctx, state, agent_id))) &&
      (budget === null || budgetFault(budget, { amount_cents: price_cents, to_id: agent_id, capability }) === null),
  );
  if (fitting.length > 0) return fitting;
  return ranked.toSorted((a, b) => a.price_cents - b.price_cents).slice(0, 1);
}

/** What sets the money of a call aside; nothing where all who may serve it are free. */
function reserve(
  ctx: Ctx,
  state: SpendState,
  {
    call_id,
    asked: { capability, given: input },
    offers,
    expires_at,
  }: { call_id: string; asked: Asked; offers: readonly Offer[]; expires_at: number },
): { hold_id: string | null; effects: readonly Effect<CallFault>[] } | Fault<CallFault> {
  const amount_cents = Math.max(...offers.map(({ price_cents }) => price_cents));
  const { budget } = ctx.principal;
  const to_id = offers[0]?.agent_id ?? null;
  if (amount_cents === 0) {
    const barred = budget && budgetFault(budget, { amount_cents, to_id, capability });
    return barred ?? { hold_id: null, effects: [] };
  }
  const spent = spend(ctx, state, { amount_cents, to_id, capability, operation: 'router_call.make', input });
  if (isSpendFault(spent)) return spent;
  const { counted } = spent;
  const { hold_id, effects } = placeHold(ctx, { kind: 'call', subject_id: call_id, amount_cents, expires_at, counted });
  return { hold_id, effects: [spent.gate, ...effects, ...spent.counts] };
}

function rowOf(
  ctx: FlowCtx,
  id: string,
  { capability, offers, hold_id }: { capability: string; offers: readonly Offer[]; hold_id: string | null },
): Row<'router_calls'> {
  const { id: agent_id, account_id } = actor(ctx);
  const { id: claim = null, request_hash = null, expires_at: claim_until = null } = ctx.claim ?? {};
  return {
    ...{ id, agent_id, account_id, capability, status: 'open', claim, request_hash, claim_until, hold_id },
    candidates: offers.map(({ id: provider_id, price_cents }) => ({ provider_id, price_cents })),
    attempts: [],
    ...{ provider_agent_id: null, price_cents: 0, fee_cents: 0, usage: null, latency_ms: null },
    deadline_at: ctx.now_ms + CALL_MS,
    created_at: ctx.now_ms,
    ...{ ended_at: null, expires_at: null, version: 1 },
  };
}

/** Who may serve a call, in their order, as far as the caller can pay them; and what it may spend. */
export async function readCall(
  read: Read,
  asked: Asked,
  ctx: Ctx,
  luck: number,
): Promise<
  | { readonly state: SpendState; readonly offers: readonly Offer[] }
  | Fault<'invalid_request' | 'not_found' | 'price_above_max'>
> {
  const missing = await missingFields(read, asked.capability, asked.payload);
  if (missing) return missing;
  const { id: agent_id, account_id } = actor(ctx);
  const ranked = candidates(await readOffers(read, asked.capability, account_id), asked, luck);
  if (isFault(ranked)) return ranked;
  // Nobody who may serve it is paid, so nothing of the caller's money matters.
  const is_free = ranked.every(({ price_cents }) => price_cents === 0);
  const state = is_free ? PAYS_NOTHING : await readSpending(read, agent_id, ctx.now_ms);
  return { state, offers: payable(ctx, state, ranked, asked.capability) };
}

/** The first turn of a call. */
export async function begin(read: Read, asked: Asked, ctx: FlowCtx, luck: number): Promise<Opening> {
  const { claim, now_ms } = ctx;
  const known = claim && (await read(routerCallByClaim, { claim: claim.id }));
  const stands = known !== null && (known.claim_until ?? 0) > (claim?.now_ms ?? now_ms);
  const again = stands && claim ? repeated(known, claim, now_ms) : null;
  if (again) return again;
  const found = await readCall(read, asked, ctx, luck);
  if (isFault(found)) return found;
  const id = ctx.id();
  const { capability } = asked;
  const { state, offers } = found;
  const expires_at = givenUpAt({ deadline_at: now_ms + CALL_MS });
  const reserved = reserve(ctx, state, { call_id: id, asked, offers, expires_at });
  if (isFault(reserved)) return reserved;
  const { hold_id, effects } = reserved;
  const call = rowOf(ctx, id, { capability, offers, hold_id });
  return {
    reply: { call, is_repeat: false, handles: new Map(offers.map(({ agent_id, handle }) => [agent_id, handle])) },
    effects: [
      ...effects,
      ...(known ? [patch('router_calls', known, { claim: null })] : []),
      insert('router_calls', call, fault('idempotency_in_flight')),
      // One that holds money is given up by the reminder of that.
      ...(hold_id === null ? [remind(EXPIRE_CALL, { call_id: id }, { key: id, at: expires_at, now_ms })] : []),
    ],
  };
}
