// Asks the processor for chargebacks and refunds of a funding, and books each once.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { guardedBalance, journalById } from '../../../db/queries/ledger.ts';
import { fundingById, openReceivables, receivableById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { type Leg, post } from '../../domain/money/ledger.ts';
import type { TakenBack } from '../../outbound/processor/processor.ts';
import { tell } from '../../steps/event.ts';
import { FOLLOW_TAKEN_BACK, takenJournal } from '../../steps/money/follow.ts';
import { collectNow, owe, repay } from '../../steps/money/receivable.ts';
import { askProcessor } from '../../steps/outside.ts';
import { remind } from '../../steps/reminder.ts';

type Refusal = 'account_restricted' | 'open_obligations' | 'conflict';

type Effects = Effect<Refusal>[];

type Funding = Row<'fundings'>;

function booked(
  ctx: Ctx,
  id: string,
  { id: subject_id }: Funding,
  legs: readonly Leg[],
  kind = 'chargeback',
): Effect<Refusal> {
  return post({ id, kind, subject_id, created_at: ctx.now_ms }, legs, 'again', fault('conflict'));
}

/** The processor's dispute fee, which the platform pays whatever the outcome. */
function feeOf(ctx: Ctx, funding: Funding, { external_id, fee_cents }: TakenBack): Effects {
  if (fee_cents <= 0) return [];
  const leg: Leg = { debit: 'platform_fees', credit: 'processor', amount_cents: fee_cents };
  return [booked(ctx, `processor_fee:${external_id}`, funding, [leg], 'processor_fee')];
}

async function take(read: Read, ctx: Ctx, funding: Funding, taken: TakenBack): Promise<Effects> {
  const { external_id: id, amount_cents, kind } = taken;
  const { agent_id, account_id, id: funding_id } = funding;
  const wallet = `wallet:${agent_id}` as const;
  const agent = await read(agentById, { id: agent_id });
  const holds = (await read(guardedBalance, { id: wallet }))?.balance_cents ?? 0;
  const own = Math.min(holds, amount_cents);
  const rest = amount_cents - own;
  const of_held = funding.withdrawable_at ?? undefined;
  const legs: Leg[] = [
    { debit: wallet, credit: 'processor', amount_cents: own, may_be_nothing: true, of_held },
    { debit: 'receivables', credit: 'processor', amount_cents: rest, may_be_nothing: true },
  ];
  const data = { kind, amount_cents, reference_id: funding_id, reason: taken.reason ?? kind };
  return [
    booked(ctx, takenJournal(id), funding, legs),
    ...feeOf(ctx, funding, taken),
    patch('fundings', funding, { taken_back_cents: funding.taken_back_cents + amount_cents }),
    ...(rest > 0 ? owe({ id, account_id, agent_id, funding_id, amount_cents: rest }, ctx.now_ms) : []),
    ...(agent ? [tell(ctx, agent, 'payment.failed', data)] : []),
  ];
}

/** Returns the money of a won chargeback: first to the open debt, then to the wallet. */
async function giveBack(read: Read, ctx: Ctx, funding: Funding, taken: TakenBack): Promise<Effects> {
  const { external_id: id, amount_cents, kind } = taken;
  const { agent_id, id: reference_id } = funding;
  const debt = await read(receivableById, { id });
  const agent = await read.peek(agentById, { id: agent_id });
  const open = debt?.status === 'open' ? debt.amount_cents - debt.repaid_cents : 0;
  const given = { credit: `wallet:${agent_id}`, amount_cents: amount_cents - open } as const;
  const held_until = funding.withdrawable_at ?? undefined;
  const legs: Leg[] = [
    { debit: 'processor', credit: 'receivables', amount_cents: open, may_be_nothing: true },
    { debit: 'processor', ...given, may_be_nothing: true, held_until },
  ];
  return [
    booked(ctx, `${takenJournal(id)}:won`, funding, legs),
    patch('fundings', funding, { taken_back_cents: Math.max(0, funding.taken_back_cents - amount_cents) }),
    ...(debt && open > 0 ? repay(debt, open) : []),
    ...(agent ? [tell(ctx, agent, 'payment.succeeded', { kind, amount_cents, reference_id })] : []),
    ...collectNow(await read.peek(openReceivables, { account_id: funding.account_id }), funding.account_id, ctx.now_ms),
  ];
}

/** One attempt to book the unbooked part of one chargeback or refund. */
async function settleTakenBack(read: Read, ctx: Ctx, funding_id: string, taken: TakenBack): Promise<Effects> {
  const funding = await read(fundingById, { id: funding_id });
  if (!funding || taken.amount_cents <= 0) return [];
  const id = takenJournal(taken.external_id);
  const was_taken = (await read(journalById, { id })) !== null;
  if (taken.status !== 'won') return was_taken ? [] : take(read, ctx, funding, taken);
  const was_given = (await read(journalById, { id: `${id}:won` })) !== null;
  if (was_taken) return was_given ? [] : giveBack(read, ctx, funding, taken);
  // A chargeback that was won before it was seen moves only its fee.
  const has_fee = (await read(journalById, { id: `processor_fee:${taken.external_id}` })) !== null;
  return has_fee ? [] : feeOf(ctx, funding, taken);
}

/** The processor does not repeat a missed hint. */
const AGAIN_MS = 600_000;

async function later(ctx: FlowCtx, funding_id: string, agent_id: string, now_ms: number): Promise<void> {
  const again = remind(FOLLOW_TAKEN_BACK, { funding_id }, { at: now_ms + AGAIN_MS, key: funding_id, now_ms });
  await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: [again] }) });
}

export const chargebackFollow = flow({
  ...FOLLOW_TAKEN_BACK,
  noun: 'Payments that the processor reverses.',
  summary: 'Check a funding for reversals',
  output: Type.Object({ booked: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['account_restricted', 'open_obligations', 'conflict'],
  run: async ({ funding_id }, ctx, ports) => {
    const { processor, clock } = ports;
    const row = await ctx.read(fundingById, { id: funding_id });
    if (!row || row.payment_id === null || processor?.name !== row.processor) return { reply: { booked: 0 } };
    const { payment_id, agent_id } = row;
    const found = await askProcessor(ports, processor, (asked) => asked.takenBack(payment_id));
    if (found.outcome !== 'done') {
      await later(ctx, funding_id, agent_id, clock.now());
      return { reply: { booked: 0 } };
    }
    let booked = 0;
    for (const taken of found.value) {
      const now = { ...ctx, now_ms: clock.now() };
      const outcome = await ctx.turn({
        agent_id,
        attempt: async (read) => {
          const effects = await settleTakenBack(read, now, funding_id, taken);
          return { reply: effects.length > 0, effects };
        },
      });
      // Another run books it at the same time; the next run sees the result.
      if (isFault(outcome)) await later(ctx, funding_id, agent_id, clock.now());
      else if (outcome.reply) booked += 1;
    }
    return { reply: { booked } };
  },
});
