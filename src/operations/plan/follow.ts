// Asks the processor for the state of a plan's checkout. A paid one sets the account's plan, books the first month once, and is
// followed at its renewal. A payment of another amount, currency or mode, and one made while another plan runs, goes to the administrators.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { planCheckoutById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { afterTermEvent } from '../../domain/money/plan-term.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { PlanState, Processor } from '../../outbound/processor/processor.ts';
import { disagreement, reviewPayment } from '../../steps/money/disagreement.ts';
import {
  accountFollows,
  FOLLOW_PLAN,
  followPlanLater,
  planPaid,
  reconcileLater,
  renewPlanAt,
} from '../../steps/money/follow.ts';
import { endCheckout } from '../../steps/money/open-pages.ts';
import { readTerm } from '../../steps/money/wallet-view.ts';
import { askProcessor } from '../../steps/outside.ts';
import { unremind } from '../../steps/reminder.ts';

/** As for fundings: after this a page that was never made counts as expired. */
const NEVER_MADE_MS = 2 * DAY_MS;

type Checkout = Row<'plan_checkouts'>;

/** The processor's answer: the checkout, and the renewal time of the plan. */
interface Found {
  readonly state: PlanState | null;
  readonly renews_at: number | null;
}

function over(
  ctx: Ctx,
  row: Checkout,
  status: Exclude<Checkout['status'], 'pending'>,
  external_id = row.external_id,
): Effect<never>[] {
  return [
    patch('plan_checkouts', row, { status, external_id, ended_at: ctx.now_ms }),
    endCheckout(row.account_id),
    unremind(FOLLOW_PLAN, row.id),
  ];
}

/** A review of a plan's payment, which belongs to no agent. */
function review(ctx: Ctx, { id }: Checkout, text: string): Effect<never> {
  return reviewPayment(ctx, { id, agent_id: '' }, 'plan', text);
}

/** A plan paid after its account was deleted: it ends at once, and the processor is told until it confirms. */
function boughtByNobody(
  ctx: Ctx,
  { id: checkout_id, account_id: id, plan, processor }: Checkout,
  term: Row<'plan_terms'> | null,
  { external_id, renews_at }: { readonly external_id: string; readonly renews_at: number },
): Effect<'conflict'>[] {
  const ended = { plan, checkout_id, processor, external_id, renews_at, status: 'ended' as const, past_due_at: null };
  return [
    term
      ? patch('plan_terms', term, ended)
      : insert('plan_terms', { id, ...ended, created_at: ctx.now_ms, version: 1 }, fault('conflict')),
    renewPlanAt(id, ctx.now_ms, ctx.now_ms),
  ];
}

/** Starts the bought plan. */
async function begun(
  read: Read,
  ctx: Ctx,
  row: Checkout,
  {
    external_id,
    page,
    renews_at,
    books,
  }: Pick<Processor, 'books'> & {
    readonly external_id: string;
    /** The processor's id of the page; its first answer may have been lost. */
    readonly page: string;
    readonly renews_at: number;
  },
): Promise<Effect<'conflict'>[]> {
  const { account, term } = await readTerm(read, row.account_id);
  const paid = [...over(ctx, row, 'paid', page), planPaid(ctx, row), ...reconcileLater({ books }, ctx.now_ms)];
  if (!account || account.deleted_at !== null) {
    const gone = `${external_id} was paid for a deleted account: refund it`;
    return [...paid, ...boughtByNobody(ctx, row, term, { external_id, renews_at }), review(ctx, row, gone)];
  }
  const status = afterTermEvent(term?.status ?? 'none', 'bought');
  if (status === null) {
    const twice = `${external_id} was paid while ${term?.external_id} continues: cancel it there, and refund it`;
    return term?.external_id === external_id ? paid : [...paid, review(ctx, row, twice)];
  }
  const { id: checkout_id, account_id: id, plan, processor } = row;
  const bought = { plan, checkout_id, processor, external_id, renews_at, status, past_due_at: null };
  return [
    ...paid,
    term
      ? patch('plan_terms', term, bought)
      : insert('plan_terms', { id, ...bought, created_at: ctx.now_ms, version: 1 }, fault('conflict')),
    ...accountFollows(account, status),
    renewPlanAt(id, renews_at, ctx.now_ms),
  ];
}

async function settle(
  read: Read,
  ctx: Ctx,
  checkout_id: string,
  { state, renews_at }: Found,
  { livemode, books }: Pick<Processor, 'livemode' | 'books'>,
): Promise<Decision<string, 'conflict'>> {
  const row = await read(planCheckoutById, { id: checkout_id });
  if (!row || row.ended_at !== null) {
    return { reply: row?.status ?? 'absent', effects: [unremind(FOLLOW_PLAN, checkout_id)] };
  }
  if (state === null && ctx.now_ms - row.created_at >= NEVER_MADE_MS) {
    return { reply: 'expired', effects: over(ctx, row, 'expired') };
  }
  const later = { reply: 'pending', effects: [followPlanLater(row, ctx.now_ms)] };
  if (state === null || state.status === 'pending') return later;
  if (state.status !== 'paid') return { reply: state.status, effects: over(ctx, row, state.status) };
  const differs = disagreement({ amount_cents: row.price_cents, currency: 'USD', livemode }, state);
  if (differs !== null) {
    return { reply: 'failed', effects: [...over(ctx, row, 'failed'), review(ctx, row, differs)] };
  }
  // Paid, but the renewal time is not yet known.
  if (renews_at === null || state.subscription_id === null) return later;
  const external_id = state.subscription_id;
  return {
    reply: 'paid',
    effects: await begun(read, ctx, row, { external_id, page: state.external_id, renews_at, books }),
  };
}

/** Asks for checkout and renewal time; null without an answer. */
async function look(ports: FlowPorts, processor: Processor, row: Checkout): Promise<Found | null> {
  const found = await askProcessor(ports, processor, (asked) => asked.findPlan(row));
  if (found.outcome !== 'done') return null;
  const name = found.value?.subscription_id ?? null;
  if (found.value?.status !== 'paid' || name === null) return { state: found.value, renews_at: null };
  const renewal = await askProcessor(ports, processor, (asked) => asked.findRenewal(name));
  return { state: found.value, renews_at: renewal.outcome === 'done' ? renewal.value.renews_at : null };
}

/** Schedules another look, for as long as it may still be paid. */
async function tryLater(ctx: FlowCtx, { clock }: FlowPorts, row: Checkout): Promise<void> {
  const again = row.ended_at === null ? [followPlanLater(row, clock.now())] : [];
  await ctx.turn({ attempt: async () => ({ reply: null, effects: again }) });
}

export const planFollow = flow({
  ...FOLLOW_PLAN,
  summary: 'Check the state of a plan’s checkout',
  output: Type.Object({ status: Type.String() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict'],
  run: async ({ checkout_id }, ctx, ports) => {
    const { processor, clock } = ports;
    const row = await ctx.read(planCheckoutById, { id: checkout_id });
    if (!row) return { reply: { status: 'absent' } };
    const found = processor?.name === row.processor ? await look(ports, processor, row) : null;
    if (!processor || !found) {
      await tryLater(ctx, ports, row);
      return { reply: { status: row.status } };
    }
    const outcome = await ctx.turn({
      attempt: (read) => settle(read, { ...ctx, now_ms: clock.now() }, checkout_id, found, processor),
    });
    return isFault(outcome) ? outcome : { reply: { status: outcome.reply } };
  },
});
