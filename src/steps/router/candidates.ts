// The providers that a call tries, in order: those that serve the capability, fit the caller's wishes, and have a price that the
// caller accepts and can pay. Accounts linked to the caller's are left out.
import { accountsWithMarksOf } from '../../../db/queries/deal.ts';
import { firstContract, providersInRotation } from '../../../db/queries/router.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { isLet } from '../../domain/agent/policy.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { CANDIDATES_MAX } from '../../domain/router/call.ts';
import { inCatalogue } from '../../domain/router/catalogue.ts';
import { type Ranked, rank, type Sort } from '../../domain/router/ranking.ts';
import { readSpending } from '../money/budget.ts';
import { NOT_ESCALATED } from '../money/escalate.ts';
import { budgetFault, defaultLimitOf, type SpendState } from '../money/spend.ts';

/** The most offers of one capability that are read, the cheapest first. */
const OFFERS_MAX = 500;

/** A caller's wishes for its providers. */
export interface Wanted {
  readonly capability: string;
  readonly max_price_cents: number | null;
  /** Agents by their handles: these alone, and none of these. */
  readonly only: readonly string[] | null;
  readonly ignore: readonly string[];
  readonly sort: Sort;
  /** The limit of their typical latency; providers without figures pass. */
  readonly max_latency_ms: number | null;
}

export interface Offer extends Ranked {
  readonly agent_id: string;
  readonly account_id: string;
  readonly handle: string;
}

/** The offers of a capability that an account may be served by. */
export async function readOffers(read: Read, capability: string, account_id: string): Promise<readonly Offer[]> {
  const [offers, together] = await Promise.all([
    read(providersInRotation, { capability, limit: OFFERS_MAX }),
    read(accountsWithMarksOf, { account_id }),
  ]);
  const own = new Set([account_id, ...together.map((each) => each.account_id)]);
  return offers.filter((offer) => !own.has(offer.account_id));
}

/** The refusal that names missing fields of a capability's payload, or null. */
async function missingFields(
  read: Read,
  capability: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<Fault<'invalid_request'> | null> {
  const known = inCatalogue(capability);
  const required = known
    ? known.fields.filter((field) => field.required).map(({ name }) => name)
    : ((await read.peek(firstContract, { capability }))?.required_fields ?? []);
  const missing = required.filter((name) => payload[name] === undefined || payload[name] === null);
  if (missing.length === 0) return null;
  return invalid(...missing.map((name) => ({ path: `payload.${name}`, message: `is needed by ${capability}` })));
}

/** The candidates in order, or why there are none: 404 when no provider fits, 409 when all that fit are too expensive. */
function candidates(
  offers: readonly Offer[],
  { max_price_cents, only, ignore, sort, max_latency_ms }: Wanted,
  luck: number,
): readonly Offer[] | Fault<'not_found' | 'price_above_max'> {
  const wanted = offers.filter(
    ({ handle, p50_ms }) =>
      (only === null || only.includes(handle)) &&
      !ignore.includes(handle) &&
      (max_latency_ms === null || p50_ms === null || p50_ms <= max_latency_ms),
  );
  if (wanted.length === 0) return fault('not_found', 'No provider serves this capability to you with these options.');
  const fitting = wanted.filter(({ price_cents }) => max_price_cents === null || price_cents <= max_price_cents);
  if (fitting.length === 0) {
    const from_price_cents = Math.min(...wanted.map(({ price_cents }) => price_cents));
    return fault('price_above_max', undefined, { from_price_cents, max_price_cents });
  }
  return rank(fitting, sort, luck).slice(0, CANDIDATES_MAX);
}

/** The caller's highest allowed single payment; dearer offers are no candidates. */
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

/** Those that the caller may and can pay; if none, the cheapest, so that the violated rule makes the refusal. */
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

/** The affordable candidates of a call in order, and what the caller may spend. */
export async function readCall(
  read: Read,
  asked: Wanted & { readonly payload: Readonly<Record<string, unknown>> },
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
  // All candidates are free, so the caller's money is not read.
  const is_free = ranked.every(({ price_cents }) => price_cents === 0);
  const state = is_free ? PAYS_NOTHING : await readSpending(read, agent_id, ctx.now_ms);
  return { state, offers: payable(ctx, state, ranked, asked.capability) };
}
