// What else the processor's books tell of a day: months of plans, and what the processor kept for its trouble. A fee that our books
// lack is booked from theirs, since nothing else tells of a plan's; one of another amount is a difference.
import { journalsOfKind, transfersOf } from '../../../db/queries/ledger.ts';
import { planCheckoutById, planTermsByExternal } from '../../../db/queries/processor.ts';
import { fault } from '../../domain/fault.ts';
import { post } from '../../domain/money/ledger.ts';
import type { BookLine, PlanMonth } from '../../outbound/processor/processor.ts';
import { FOLLOW_PLAN, RENEW_PLAN } from '../billing/term.ts';
import { remindNow } from '../reminder.ts';
import type { Look } from './look.ts';

/** What a fee is of, and what names its journal. */
interface FeeOf {
  readonly id: string;
  readonly subject_id: string | null;
}

async function bookedBy({ read }: Look, journal: string): Promise<number> {
  const transfers = await read.peek(transfersOf, { journal });
  return transfers.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** The fee of a line, which is the platform's cost. */
export async function compareFee(look: Look, line: BookLine, of: FeeOf): Promise<void> {
  const { fee_cents, source_id } = line;
  const id = `processor_fee:${of.id}`;
  const ours_cents = fee_cents > 0 ? await bookedBy(look, id) : 0;
  if (fee_cents <= 0 || ours_cents === fee_cents) return;
  if (ours_cents !== 0) {
    const problem = 'a fee of another amount';
    look.differences.push({ object_id: `fee:${source_id}`, problem, ours_cents, theirs_cents: fee_cents });
    return;
  }
  const journal = { id, kind: 'processor_fee', subject_id: of.subject_id, created_at: look.now_ms };
  const leg = { debit: 'platform_fees', credit: 'processor', amount_cents: fee_cents } as const;
  look.fees.push(post(journal, [leg], 'again', { same: 'exists', other: fault('conflict') }));
}

/** A fee that is a line of its own. */
export async function compareOwnFee(look: Look, line: BookLine): Promise<void> {
  const fee_cents = line.fee_cents - line.amount_cents;
  if (fee_cents > 0) return compareFee(look, { ...line, fee_cents }, { id: line.id, subject_id: null });
  const problem = 'a fee that was given back, and not booked';
  look.differences.push({ object_id: line.id, problem, ours_cents: 0, theirs_cents: -fee_cents });
}

/** The journal of a month, by what names it; null where no plan of ours is known to it. */
async function monthOf(
  { read }: Look,
  month: PlanMonth,
): Promise<(FeeOf & { readonly account_id: string | null }) | null> {
  const { subscription_id: external_id, checkout_id, first, begins_at } = month;
  const term = await read.peek(planTermsByExternal, { external_id });
  if (!first) {
    const of = new Date(begins_at).toISOString().slice(0, 7);
    return term && { id: `${term.id}:${of}`, subject_id: term.id, account_id: term.id };
  }
  const row = checkout_id === null ? null : await read.peek(planCheckoutById, { id: checkout_id });
  return row && { id: row.id, subject_id: row.id, account_id: null };
}

export async function comparePlan(look: Look, line: BookLine, month: PlanMonth): Promise<void> {
  const { differences, follows, now_ms } = look;
  const { source_id: object_id, amount_cents: theirs_cents } = line;
  const of = await monthOf(look, month);
  if (!of) {
    differences.push({ object_id, problem: 'a month of a plan that is not ours', ours_cents: null, theirs_cents });
    return;
  }
  const ours_cents = await bookedBy(look, `plan:${of.id}`);
  if (ours_cents === theirs_cents) return compareFee(look, line, of);
  const problem = ours_cents === 0 ? 'a month of a plan that is not booked' : 'a month of a plan at another price';
  differences.push({ object_id, problem, ours_cents, theirs_cents });
  if (ours_cents !== 0) return;
  const { account_id, id } = of;
  follows.push(
    account_id === null
      ? remindNow(FOLLOW_PLAN, { checkout_id: id }, { key: id, now_ms })
      : remindNow(RENEW_PLAN, { account_id }, { key: account_id, now_ms }),
  );
}

const STEP = 200;

/** Months that we booked within a time, and they do not have at all. */
export async function compareMonths(look: Look, from: number, to: number): Promise<void> {
  const theirs = new Set<string>();
  for (const { plan } of look.lines) {
    const of = plan && (await monthOf(look, plan));
    if (of) theirs.add(`plan:${of.id}`);
  }
  for (let after = ''; ; ) {
    const rows = await look.read.peek(journalsOfKind, { kind: 'plan', from, to, after, limit: STEP });
    for (const { id } of rows.filter((row) => !theirs.has(row.id))) {
      const ours_cents = await bookedBy(look, id);
      const problem = 'a month of a plan that they do not have';
      look.differences.push({ object_id: id, problem, ours_cents, theirs_cents: null });
    }
    const last = rows.at(-1);
    if (rows.length < STEP || !last) return;
    after = last.id;
  }
}
