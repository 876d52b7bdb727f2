// Asks the processor for the state of a funding and applies it: a paid one is booked to the wallet once, under its own journal. The
// trigger (a webhook, a page of the sandbox, a reminder) is a hint, not a proof. A payment of another amount, currency or mode
// books nothing and goes to the administrators.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { fundingById, openReceivables } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { post } from '../../domain/money/ledger.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { FundingState, Processor } from '../../outbound/processor/processor.ts';
import { markAccount } from '../../steps/agent/partners.ts';
import { tell } from '../../steps/event.ts';
import { disagreement, reviewPayment } from '../../steps/money/disagreement.ts';
import { FOLLOW_FUNDING, FOLLOW_TAKEN_BACK, followFundingLater, reconcileLater } from '../../steps/money/follow.ts';
import { endFunding } from '../../steps/money/open-pages.ts';
import { collectNow } from '../../steps/money/receivable.ts';
import { askProcessor } from '../../steps/outside.ts';
import { remindNow, unremind } from '../../steps/reminder.ts';

/** After this a checkout page that was perhaps never made counts as expired: processors' own pages live a day. */
const NEVER_MADE_MS = 2 * DAY_MS;
/** The processor's fee for a payment is known within days. */
const FEE_KNOWN_MS = 7 * DAY_MS;

type Funding = Row<'fundings'>;
type Ending = Exclude<Funding['status'], 'pending'>;

function paid(ctx: Ctx, { id, agent_id, amount_cents }: Funding, held_until: number): Effect<'conflict'> {
  const journal = { id: `fund:${id}`, kind: 'fund', subject_id: id, created_at: ctx.now_ms };
  const leg = { debit: 'processor', credit: `wallet:${agent_id}`, amount_cents, held_until } as const;
  return post(journal, [leg], 'again', { same: 'exists', other: fault('conflict') });
}

/** Books the processor's fee, which the platform pays. */
function feeTaken(ctx: Ctx, { id }: Funding, fee_cents: number): Effect<'conflict'>[] {
  if (fee_cents <= 0) return [];
  const journal = { id: `processor_fee:${id}`, kind: 'processor_fee', subject_id: id, created_at: ctx.now_ms };
  const leg = { debit: 'platform_fees', credit: 'processor', amount_cents: fee_cents } as const;
  return [post(journal, [leg], 'again', { same: 'exists', other: fault('conflict') })];
}

/** Schedules another look while the fee is unknown, or ends the reminder. */
function stillAsked(ctx: Ctx, row: Funding, fee_cents: number | null): Effect<never> {
  const waits = fee_cents === null && ctx.now_ms - row.created_at < FEE_KNOWN_MS;
  return waits ? followFundingLater(row, ctx.now_ms) : unremind(FOLLOW_FUNDING, row.id);
}

/** Ends a funding without money. An expired page sends no event, since no payment was tried. */
async function ended(
  read: Read,
  ctx: Ctx,
  row: Funding,
  status: Exclude<Ending, 'paid'>,
  reason: string | null,
): Promise<Effect<never>[]> {
  const { id: reference_id, amount_cents } = row;
  const agent = await read.peek(agentById, { id: row.agent_id });
  const data = { kind: 'fund' as const, amount_cents, reference_id, reason: reason ?? status };
  return [
    patch('fundings', row, { status, reason, ended_at: ctx.now_ms }),
    endFunding(row.agent_id),
    unremind(FOLLOW_FUNDING, row.id),
    ...(agent && status !== 'expired' ? [tell(ctx, agent, 'payment.failed', data)] : []),
  ];
}

async function settlePaid(
  read: Read,
  ctx: Ctx,
  row: Funding,
  state: FundingState,
  processor: Processor,
): Promise<Effect<'conflict'>[]> {
  const asked = { amount_cents: row.amount_cents, currency: 'USD', livemode: processor.livemode };
  const differs = disagreement(asked, state);
  if (differs !== null) {
    const review = reviewPayment(ctx, row, 'funding', differs);
    return [...(await ended(read, ctx, row, 'failed', 'differs')), review];
  }
  const { id, amount_cents } = row;
  const agent = await read.peek(agentById, { id: row.agent_id });
  const set = { status: 'paid', external_id: state.external_id, payment_id: state.payment_id } as const;
  const times = { paid_at: ctx.now_ms, withdrawable_at: ctx.now_ms + processor.hold_ms, ended_at: ctx.now_ms };
  return [
    patch('fundings', row, { ...set, ...times }),
    endFunding(row.agent_id),
    paid(ctx, row, times.withdrawable_at),
    ...feeTaken(ctx, row, state.processor_fee_cents ?? 0),
    stillAsked(ctx, { ...row, status: 'paid' }, state.processor_fee_cents),
    ...(state.card === null ? [] : [markAccount(row.account_id, 'card', state.card, ctx)]),
    ...collectNow(await read.peek(openReceivables, { account_id: row.account_id }), row.account_id, ctx.now_ms),
    ...reconcileLater(processor, ctx.now_ms),
    // A reversal that was reported before this commit found no payment to belong to.
    remindNow(FOLLOW_TAKEN_BACK, { funding_id: id }, { key: id, now_ms: ctx.now_ms }),
    ...(agent ? [tell(ctx, agent, 'payment.succeeded', { kind: 'fund', amount_cents, reference_id: id })] : []),
  ];
}

async function settle(
  read: Read,
  ctx: Ctx,
  funding_id: string,
  state: FundingState | null,
  processor: Processor,
): Promise<Decision<string, 'conflict'>> {
  const row = await read(fundingById, { id: funding_id });
  if (!row) return { reply: 'absent', effects: [unremind(FOLLOW_FUNDING, funding_id)] };
  if (row.ended_at !== null) {
    // For a paid one, only the fee may still be unknown.
    const fee = row.status === 'paid' ? (state?.processor_fee_cents ?? null) : 0;
    return { reply: row.status, effects: [...feeTaken(ctx, row, fee ?? 0), stillAsked(ctx, row, fee)] };
  }
  if (state === null) {
    const over = ctx.now_ms - row.created_at >= NEVER_MADE_MS;
    if (!over) return { reply: 'pending', effects: [followFundingLater(row, ctx.now_ms)] };
    return { reply: 'expired', effects: await ended(read, ctx, row, 'expired', null) };
  }
  if (state.status === 'paid') return { reply: 'paid', effects: await settlePaid(read, ctx, row, state, processor) };
  if (state.status === 'pending') return { reply: 'pending', effects: [followFundingLater(row, ctx.now_ms)] };
  return { reply: state.status, effects: await ended(read, ctx, row, state.status, state.reason) };
}

export const fundingFollow = flow({
  ...FOLLOW_FUNDING,
  summary: 'Check the state of a funding',
  output: Type.Object({ status: Type.String() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict'],
  run: async ({ funding_id }, ctx, ports) => {
    const { processor, clock } = ports;
    const row = await ctx.read(fundingById, { id: funding_id });
    if (!row) return { reply: { status: 'absent' } };
    const { agent_id } = row;
    const found =
      processor?.name === row.processor
        ? await askProcessor(ports, processor, (asked) => asked.findFunding(row))
        : null;
    if (!processor || found?.outcome !== 'done') {
      // Followed for as long as it may still be paid.
      const again = [followFundingLater(row, clock.now())];
      await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: again }) });
      return { reply: { status: row.status } };
    }
    const state = found.value;
    const attempt = (read: Read): Promise<Decision<string, 'conflict'>> =>
      settle(read, { ...ctx, now_ms: clock.now() }, funding_id, state, processor);
    const outcome = await ctx.turn({ agent_id, attempt });
    return isFault(outcome) ? outcome : { reply: { status: outcome.reply } };
  },
});
