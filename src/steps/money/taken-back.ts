// What the processor took back of a funding, by a chargeback or a refund: out of the wallet as far as that reaches, the rest is
// owed. Each is taken once and given back once, under journals that the processor's name of it makes, in whatever order
// its hints come.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { guardedBalance, journalById } from '../../../db/queries/ledger.ts';
import { fundingById, receivableById } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { fault } from '../../domain/fault.ts';
import { type Leg, post } from '../../domain/money/ledger.ts';
import type { TakenBack } from '../../outbound/processor/processor.ts';
import { Id } from '../../schemas/wire.ts';
import { tell } from '../event.ts';
import { collectNow, owe, repay } from './receivable.ts';

/** The call that asks what was taken back of a funding. */
export const FOLLOW_TAKEN_BACK = { name: 'chargeback.follow', input: Type.Object({ funding_id: Id }) } as const;

type Refusal = 'account_restricted' | 'open_obligations' | 'conflict';
type Effects = Effect<Refusal>[];
type Funding = Row<'fundings'>;

export function takenJournal(external_id: string): string {
  return `chargeback:${external_id}`;
}

function booked(
  ctx: Ctx,
  id: string,
  { id: subject_id }: Funding,
  legs: readonly Leg[],
  kind = 'chargeback',
): Effect<Refusal> {
  return post({ id, kind, subject_id, created_at: ctx.now_ms }, legs, 'again', fault('conflict'));
}

/** What the processor asks for its trouble, whoever wins, which is the platform's to bear. */
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

/** What was won is given back: first what is still owed, then the wallet. */
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
    ...(await collectNow(read, funding.account_id, ctx.now_ms)),
  ];
}

/** One attempt to book what is not booked yet of one thing that was taken back. */
export async function settleTakenBack(read: Read, ctx: Ctx, funding_id: string, taken: TakenBack): Promise<Effects> {
  const funding = await read(fundingById, { id: funding_id });
  if (!funding || taken.amount_cents <= 0) return [];
  const id = takenJournal(taken.external_id);
  const was_taken = (await read(journalById, { id })) !== null;
  if (taken.status !== 'won') return was_taken ? [] : take(read, ctx, funding, taken);
  const was_given = (await read(journalById, { id: `${id}:won` })) !== null;
  if (was_taken) return was_given ? [] : giveBack(read, ctx, funding, taken);
  // What was over before it was seen moved nothing in the end but its fee.
  const has_fee = (await read(journalById, { id: `processor_fee:${taken.external_id}` })) !== null;
  return has_fee ? [] : feeOf(ctx, funding, taken);
}
