// Asks the processor at the end of a plan's paid period whether it was renewed. A renewal books its month; an unpaid plan continues for
// seven days and then becomes Free; a cancelled one ends, and the processor is told until it confirms. Without an answer it asks again.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { planCheckoutById, planTermsById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { assert } from '../../domain/assert.ts';
import { isFault } from '../../domain/fault.ts';
import { PLANS } from '../../domain/identity/plan.ts';
import { afterTermEvent, GRACE_MS, periodsBetween, type TermEvent } from '../../domain/money/plan-term.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { planLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import type { RenewalState } from '../../outbound/processor/processor.ts';
import { sendLetter } from '../../steps/letter.ts';
import { accountFollows, type Bought, planPaid, RENEW_PLAN, renewPlanAt } from '../../steps/money/follow.ts';
import { readTerm } from '../../steps/money/wallet-view.ts';
import { askProcessor } from '../../steps/outside.ts';

type Term = Row<'plan_terms'>;

/** The event of a plan by the processor's answer; null for none yet. */
function eventOf(term: Term, said: RenewalState, now_ms: number): TermEvent | null {
  if (term.status === 'cancelling') return now_ms >= term.renews_at ? 'run_out' : null;
  if (said.status === 'ended') return 'stopped';
  if (said.status === 'active') return said.renews_at > term.renews_at ? 'renewed' : null;
  const graced = term.past_due_at !== null && now_ms - term.past_due_at >= GRACE_MS;
  return graced ? 'run_out' : 'unpaid';
}

/** When to check again without an event. */
function nextLook({ status, renews_at, past_due_at }: Term, now_ms: number): number {
  if (past_due_at !== null) return Math.min(now_ms + DAY_MS / 4, Math.max(past_due_at + GRACE_MS, now_ms + HOUR_MS));
  // The renewal is due, and the processor has not completed it yet.
  return status !== 'ended' && renews_at > now_ms ? renews_at : now_ms + HOUR_MS;
}

function letters(ctx: Ctx, { account }: Bought, event: TermEvent, before: Term): Effect<never>[] {
  const ended = before.status === 'past_due' && (event === 'run_out' || event === 'stopped');
  if (!account?.email || !(ended || event === 'unpaid')) return [];
  const { outcome_fee_bps, router_fee_bps } = PLANS.free;
  const fees = { sales: outcome_fee_bps, calls: router_fee_bps };
  const url = `${ctx.settings.app_url}/billing`;
  const letter = planLetter(ended, GRACE_MS / DAY_MS, fees, url, letterWordsFor(account));
  return [sendLetter({ channel: 'mail', to: account.email, ...letter }, ctx)];
}

/** A plan with its account, and the checkout by which it was bought. */
interface Renewing extends Bought {
  readonly term: Term;
  readonly checkout: Row<'plan_checkouts'>;
}

/** The effects of an event. */
function changed(ctx: Ctx, bought: Renewing, event: TermEvent, renews_at: number): Effect<'conflict'>[] {
  const { term, checkout } = bought;
  const status = afterTermEvent(term.status, event);
  if (status === null) return [renewPlanAt(term.id, nextLook(term, ctx.now_ms), ctx.now_ms)];
  const renewed = event === 'renewed';
  const set = {
    status,
    renews_at: renewed ? renews_at : term.renews_at,
    past_due_at: status === 'past_due' ? ctx.now_ms : null,
  };
  const months = renewed ? periodsBetween(term.renews_at, renews_at) : [];
  // The processor must be told of an end that it does not know of.
  const again =
    status === 'ended' ? (event === 'stopped' ? null : ctx.now_ms) : nextLook({ ...term, ...set }, ctx.now_ms);
  return [
    patch('plan_terms', term, set),
    ...accountFollows(bought.account, status),
    ...months.map((month) => planPaid(ctx, checkout, month)),
    ...(again === null ? [] : [renewPlanAt(term.id, again, ctx.now_ms)]),
    ...letters(ctx, bought, event, term),
  ];
}

async function settle(
  read: Read,
  ctx: Ctx,
  account_id: string,
  { asked, said }: { readonly asked: Term; readonly said: RenewalState },
): Promise<Decision<string, 'conflict'>> {
  const bought = await readTerm(read, account_id);
  const { term } = bought;
  // Another check or the person changed the plan meanwhile, and set a reminder of their own.
  if (!term || term.version !== asked.version) return { reply: term?.status ?? 'none' };
  if (term.status === 'ended') return { reply: 'ended' };
  const event = eventOf(term, said, ctx.now_ms);
  const checkout = await read(planCheckoutById, { id: term.checkout_id });
  assert(checkout !== null, 'a plan has the checkout it was bought with');
  if (event !== null) {
    return { reply: event, effects: changed(ctx, { ...bought, term, checkout }, event, said.renews_at) };
  }
  return { reply: term.status, effects: [renewPlanAt(account_id, nextLook(term, ctx.now_ms), ctx.now_ms)] };
}

export const planRenew = flow({
  ...RENEW_PLAN,
  summary: 'Check whether a plan was renewed',
  output: Type.Object({ status: Type.String() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict'],
  run: async ({ account_id }, ctx, ports) => {
    const { processor, clock } = ports;
    const term = await ctx.read(planTermsById, { id: account_id });
    if (!term) return { reply: { status: 'none' } };
    const ends = term.status === 'cancelling' || term.status === 'ended';
    const here = processor?.name === term.processor ? processor : null;
    const look = () => here && askProcessor(ports, here, (asked) => asked.findRenewal(term.external_id));
    const told =
      here && ends
        ? await askProcessor(ports, here, (asked) =>
            asked.cancelRenewal(term.external_id, { now: term.status === 'ended' }),
          )
        : null;
    // A plan that has ended there refuses a cancellation; its state then tells that it has ended.
    const found = told === null || (told.outcome === 'refused' && term.status === 'cancelling') ? await look() : told;
    const now = { ...ctx, now_ms: clock.now() };
    if (found?.outcome !== 'done') {
      // If the processor refuses to cancel an ended plan, nothing is left to do there.
      const again = found?.outcome === 'refused' && term.status === 'ended' ? [] : [HOUR_MS];
      const effects = again.map((pause) => renewPlanAt(account_id, now.now_ms + pause, now.now_ms));
      await ctx.turn({ attempt: async () => ({ reply: null, effects }) });
      return { reply: { status: term.status } };
    }
    const said = found.value;
    const outcome = await ctx.turn({ attempt: (read) => settle(read, now, account_id, { asked: term, said }) });
    return isFault(outcome) ? outcome : { reply: { status: outcome.reply } };
  },
});
