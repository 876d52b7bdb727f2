// When the books of a day are compared with the processor's, and how. A line of theirs must be a row and a journal of ours, whenever
// ours was written; what we have as paid on the day must be a line of theirs. What is missing with us is asked after at once, so
// this finds what no webhook told of.

import { Type } from 'typebox';
import type { Effect, RemindEffect } from '../../../db/effects.ts';
import { journalById } from '../../../db/queries/ledger.ts';
import { fundingById, fundingByPayment, fundingsPaid, payoutByTransfer } from '../../../db/queries/processor.ts';
import type { Read } from '../../../db/store.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { BookLine, Processor } from '../../outbound/processor/processor.ts';
import { FOLLOW_FUNDING } from '../funding/follow.ts';
import { FOLLOW_TAKEN_BACK, takenJournal } from '../money/taken-back.ts';
import { remind, remindNow } from '../reminder.ts';
import type { Difference, Look } from './look.ts';
import { compareFee, compareMonths, compareOwnFee, comparePlan } from './reconcile-plan.ts';

/** The call that compares a day (UTC), with `again` when it is looked at anew. */
export const RECONCILE = {
  name: 'processor.reconcile',
  input: Type.Object({
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    again: Type.Optional(Type.Literal(true)),
  }),
} as const;

/** After midnight, so that what was under way is there. */
const SETTLED_MS = 5_400_000;

const dayOf = (at_ms: number): string => new Date(at_ms).toISOString().slice(0, 10);

/** The comparison of the day in which an instant lies; of a processor that keeps books. The same again changes nothing. */
export function reconcileLater({ books }: Pick<Processor, 'books'>, at_ms: number): RemindEffect[] {
  if (books === null) return [];
  const day = dayOf(at_ms);
  return [remind(RECONCILE, { day }, { at: Date.parse(day) + DAY_MS + SETTLED_MS, key: day, now_ms: at_ms })];
}

/** What a comparison came to, whom it lets ask, and the fees that it books. */
export interface Compared {
  readonly differences: readonly Difference[];
  readonly follows: readonly Effect<never>[];
  readonly fees: readonly Effect<'conflict'>[];
}

async function comparePayment(look: Look, line: BookLine): Promise<void> {
  if (line.plan !== null) return comparePlan(look, line, line.plan);
  const { read, now_ms, differences, follows } = look;
  const { source_id, payment_id, our_id, amount_cents: theirs_cents } = line;
  const row = payment_id === null ? null : await read.peek(fundingByPayment, { payment_id });
  if (row) {
    const ours_cents = row.amount_cents;
    const is_posted = (await read.peek(journalById, { id: `fund:${row.id}` })) !== null;
    if (is_posted && ours_cents === theirs_cents) return compareFee(look, line, { id: row.id, subject_id: row.id });
    const problem = is_posted ? 'a payment of another amount' : 'a payment that is not posted';
    differences.push({ object_id: source_id, problem, ours_cents: is_posted ? ours_cents : 0, theirs_cents });
    return;
  }
  // What carries no id of ours and pays for no plan was not made by us.
  const asked = our_id === null ? null : await read.peek(fundingById, { id: our_id });
  if (!asked) return;
  const { id } = asked;
  differences.push({ object_id: source_id, problem: 'a payment that is not posted', ours_cents: 0, theirs_cents });
  if (asked.ended_at === null) follows.push(remindNow(FOLLOW_FUNDING, { funding_id: id }, { key: id, now_ms }));
}

async function compareTakenBack(look: Look, line: BookLine): Promise<void> {
  const { source_id, payment_id, amount_cents } = line;
  const { read, now_ms, lines, differences, follows } = look;
  const row = payment_id === null ? null : await read.peek(fundingByPayment, { payment_id });
  if (!row) return;
  const id = takenJournal(source_id);
  const is_booked = (await read.peek(journalById, { id: amount_cents < 0 ? id : `${id}:won` })) !== null;
  if (is_booked) return compareFee(look, line, { id: source_id, subject_id: row.id });
  // What was over before it was seen moved nothing in the end.
  const moved = lines.filter((each) => each.source_id === source_id).reduce((sum, each) => sum + each.amount_cents, 0);
  if (moved === 0 && (await read.peek(journalById, { id })) === null) return;
  const problem = amount_cents < 0 ? 'taken back, and not booked' : 'given back, and not booked';
  differences.push({ object_id: source_id, problem, ours_cents: 0, theirs_cents: amount_cents });
  follows.push(remindNow(FOLLOW_TAKEN_BACK, { funding_id: row.id }, { key: row.id, now_ms }));
}

async function compareTransfer({ read, differences }: Look, line: BookLine): Promise<void> {
  const { kind, source_id, amount_cents: theirs_cents } = line;
  const row = await read.peek(payoutByTransfer, { transfer_id: source_id });
  const ours_cents = row?.amount_cents ?? 0;
  const is_back = row?.status === 'reversed' || row?.status === 'failed';
  if (kind === 'reversal' && row && !is_back) {
    differences.push({
      object_id: source_id,
      problem: 'a transfer that came back, and not with us',
      ours_cents,
      theirs_cents,
    });
  }
  if (kind === 'transfer' && ours_cents !== -theirs_cents) {
    differences.push({ object_id: source_id, problem: 'a transfer that is not ours', ours_cents, theirs_cents });
  }
}

const COMPARE: Partial<Record<BookLine['kind'], (look: Look, line: BookLine) => Promise<void>>> = {
  payment: comparePayment,
  chargeback: compareTakenBack,
  refund: compareTakenBack,
  transfer: compareTransfer,
  reversal: compareTransfer,
  fee: compareOwnFee,
};

const STEP = 200;

/** What we have as paid on the day, and they do not have at all. */
async function compareOurs({ read, lines, differences }: Look, from: number): Promise<void> {
  const theirs = new Set(lines.map(({ payment_id }) => payment_id));
  for (let at = { from, after: '' }; ; ) {
    const rows = await read.peek(fundingsPaid, { ...at, to: from + DAY_MS, limit: STEP });
    for (const { payment_id, amount_cents: ours_cents } of rows) {
      if (payment_id === null || theirs.has(payment_id)) continue;
      differences.push({
        object_id: payment_id,
        problem: 'a payment that they do not have',
        ours_cents,
        theirs_cents: null,
      });
    }
    const last = rows.at(-1);
    if (rows.length < STEP || !last) return;
    at = { from: last.paid_at, after: last.id };
  }
}

/** Compares a day with the lines of a time around it. */
export async function compareBooks(
  read: Read,
  lines: readonly BookLine[],
  { from, now_ms }: { readonly from: number; readonly now_ms: number },
): Promise<Compared> {
  const look: Look = { read, now_ms, lines, differences: [], follows: [], fees: [] };
  for (const line of lines) {
    if (line.created_at < from || line.created_at >= from + DAY_MS) continue;
    await COMPARE[line.kind]?.(look, line);
  }
  await compareOurs(look, from);
  await compareMonths(look, from, from + DAY_MS);
  return look;
}
