// Compares the ledger of a completed day with the processor's books, and stores differences until they agree. Each comparison
// schedules the next day's, so days without webhooks are compared too.
import { type Static, Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { journalById, journalsOfKind, transfersOf } from '../../../db/queries/ledger.ts';
import {
  differencesOfDay,
  fundingById,
  fundingByPayment,
  fundingsPaid,
  payoutByTransfer,
  planCheckoutById,
  planTermsByExternal,
} from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { post } from '../../domain/money/ledger.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import type { BookLine, PlanMonth, Processor } from '../../outbound/processor/processor.ts';
import {
  FOLLOW_FUNDING,
  FOLLOW_PLAN,
  FOLLOW_TAKEN_BACK,
  RECONCILE,
  RENEW_PLAN,
  reconcileLater,
  takenJournal,
} from '../../steps/money/follow.ts';
import { askProcessor } from '../../steps/outside.ts';
import { remind, remindNow } from '../../steps/reminder.ts';

/** The result of a comparison: differences, objects to follow, and fees to book. */
interface Compared {
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
  // A payment without an id of this service and without a plan was not made by it.
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
  if (!row) return comparePlanTakenBack(look, line);
  const id = takenJournal(source_id);
  const is_booked = (await read.peek(journalById, { id: amount_cents < 0 ? id : `${id}:won` })) !== null;
  if (is_booked) return compareFee(look, line, { id: source_id, subject_id: row.id });
  // A chargeback that was reversed before it was seen moved nothing in the end.
  const moved = lines.filter((each) => each.source_id === source_id).reduce((sum, each) => sum + each.amount_cents, 0);
  if (moved === 0 && (await read.peek(journalById, { id })) === null) return;
  const problem = amount_cents < 0 ? 'reversed, but not booked' : 'refunded, but not booked';
  differences.push({ object_id: source_id, problem, ours_cents: 0, theirs_cents: amount_cents });
  follows.push(remindNow(FOLLOW_TAKEN_BACK, { funding_id: row.id }, { key: row.id, now_ms }));
}

/** A month of a plan that was taken back is not booked: administrators end the plan or keep it. */
async function comparePlanTakenBack(look: Look, { plan, source_id, amount_cents }: BookLine): Promise<void> {
  const ours = plan && (await monthOf(look, plan));
  // One that was won back moved nothing in the end.
  const moved = look.lines
    .filter((line) => line.source_id === source_id)
    .reduce((sum, line) => sum + line.amount_cents, 0);
  if (!ours || moved === 0) return;
  const problem = 'a month of a plan that was taken back';
  look.differences.push({ object_id: source_id, problem, ours_cents: 0, theirs_cents: amount_cents });
}

async function compareTransfer({ read, differences }: Look, line: BookLine): Promise<void> {
  const { kind, source_id, amount_cents: theirs_cents } = line;
  const row = await read.peek(payoutByTransfer, { transfer_id: source_id });
  const ours_cents = row?.amount_cents ?? 0;
  const is_back = row?.status === 'reversed' || row?.status === 'failed';
  if (kind === 'reversal' && row && !is_back) {
    differences.push({
      object_id: source_id,
      problem: 'a reversed transfer that is not booked as reversed',
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

/** Finds payments of the day that are in the ledger and missing in the processor's books. */
async function compareOurs({ read, lines, differences }: Look, from: number): Promise<void> {
  const theirs = new Set(lines.map(({ payment_id }) => payment_id));
  for (let at = { from, after: '' }; ; ) {
    const rows = await read.peek(fundingsPaid, { ...at, to: from + DAY_MS, limit: STEP });
    for (const { payment_id, amount_cents: ours_cents } of rows) {
      if (payment_id === null || theirs.has(payment_id)) continue;
      differences.push({
        object_id: payment_id,
        problem: 'a payment missing at the processor',
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
async function compareBooks(
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

/** The subject of a fee, and the id of its journal. */
interface FeeOf {
  readonly id: string;
  readonly subject_id: string | null;
}

async function bookedBy({ read }: Look, journal: string): Promise<number> {
  const transfers = await read.peek(transfersOf, { journal });
  return transfers.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** Compares the fee of a line, which the platform pays. */
async function compareFee(look: Look, line: BookLine, of: FeeOf): Promise<void> {
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

/** Compares a fee that has a line of its own. */
async function compareOwnFee(look: Look, line: BookLine): Promise<void> {
  const fee_cents = line.fee_cents - line.amount_cents;
  if (fee_cents > 0) return compareFee(look, { ...line, fee_cents }, { id: line.id, subject_id: null });
  const problem = 'a refunded fee that is not booked';
  look.differences.push({ object_id: line.id, problem, ours_cents: 0, theirs_cents: -fee_cents });
}

/** The journal of a plan's month; null for an unknown plan. */
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

async function comparePlan(look: Look, line: BookLine, month: PlanMonth): Promise<void> {
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

const MONTHS_STEP = 200;

/** Finds months of plans that are in the ledger and missing in the processor's books. */
async function compareMonths(look: Look, from: number, to: number): Promise<void> {
  const theirs = new Set<string>();
  for (const { plan } of look.lines) {
    const of = plan && (await monthOf(look, plan));
    if (of) theirs.add(`plan:${of.id}`);
  }
  for (let after = ''; ; ) {
    const rows = await look.read.peek(journalsOfKind, { kind: 'plan', from, to, after, limit: MONTHS_STEP });
    for (const { id } of rows.filter((row) => !theirs.has(row.id))) {
      const ours_cents = await bookedBy(look, id);
      const problem = 'a month of a plan missing at the processor';
      look.differences.push({ object_id: id, problem, ours_cents, theirs_cents: null });
    }
    const last = rows.at(-1);
    if (rows.length < MONTHS_STEP || !last) return;
    after = last.id;
  }
}

/** A difference about one object. */
interface Difference {
  readonly object_id: string;
  readonly problem: string;
  readonly ours_cents: number | null;
  readonly theirs_cents: number | null;
}

interface Look {
  readonly read: Read;
  readonly now_ms: number;
  /** All lines of the requested interval, which is wider than the day. */
  readonly lines: readonly BookLine[];
  readonly differences: Difference[];
  readonly follows: Effect<never>[];
  readonly fees: Effect<'conflict'>[];
}

/** How long after a payment it may be followed. */
const BEFORE_MS = 2 * DAY_MS;
const AGAIN_MS = HOUR_MS;
/** A difference that is older than this needs a person. */
const LOOKED_AT_MS = 30 * DAY_MS;
const DIFFERENCES_MAX = 500;
/** The next comparisons of the day book further ones. */
const FEES_MAX = 200;

type Asked = Static<typeof RECONCILE.input>;

/** Stores new and returning differences, and ends resolved ones. */
function kept(
  day: string,
  known: readonly Row<'processor_differences'>[],
  found: readonly Difference[],
  now_ms: number,
): Effect<never>[] {
  const now = new Map(found.map((each) => [each.object_id, each]));
  const ids = new Set(known.map(({ object_id }) => object_id));
  const born = { day, resolved_at: null, created_at: now_ms, version: 1 };
  return [
    ...[...now.values()]
      .filter(({ object_id }) => !ids.has(object_id))
      .map((each) => insert('processor_differences', { ...each, ...born, id: `${day}:${each.object_id}` }, 'ignore')),
    ...known
      .filter(({ object_id, resolved_at }) => now.has(object_id) !== (resolved_at === null))
      .map((row) => patch('processor_differences', row, { resolved_at: now.has(row.object_id) ? null : now_ms })),
  ];
}

/** Schedules the next comparisons: of the next day, after the first one of this day, and of this day while it differs. */
function nextOnes(processor: Processor, { day, again }: Asked, differs: boolean, now_ms: number): Effect<never>[] {
  const from = Date.parse(day);
  const waits = differs && now_ms - from < LOOKED_AT_MS;
  return [
    ...(again ? [] : reconcileLater(processor, from + DAY_MS)),
    ...(waits ? [remind(RECONCILE, { day, again: true }, { at: now_ms + DAY_MS, key: day, now_ms })] : []),
  ];
}

async function later(ctx: FlowCtx, asked: Asked, now_ms: number): Promise<void> {
  const again = remind(RECONCILE, asked, { at: now_ms + AGAIN_MS, key: asked.day, now_ms });
  await ctx.turn({ attempt: async () => ({ reply: null, effects: [again] }) });
}

export const processorReconcile = flow({
  ...RECONCILE,
  summary: "Compare a day with the processor's books",
  output: Type.Object({ differences: Type.Integer() }),
  effect: 'changes',
  access: 'internal',
  faults: ['conflict'],
  run: async (input, ctx, ports) => {
    const { day } = input;
    const { processor, clock } = ports;
    const from = Date.parse(day);
    const books = processor?.books;
    if (!processor || !books) return { reply: { differences: 0 } };
    const to = Math.max(clock.now(), from + DAY_MS);
    const asked = await askProcessor(ports, processor, () => books(from - BEFORE_MS, to));
    if (asked.outcome !== 'done') {
      await later(ctx, input, clock.now());
      return { reply: { differences: 0 } };
    }
    const lines = asked.value;
    const outcome = await ctx.turn({
      attempt: async (read) => {
        const now_ms = clock.now();
        const { differences, follows, fees } = await compareBooks(read, lines, { from, now_ms });
        const known = await read(differencesOfDay, { day });
        const told = differences.slice(0, DIFFERENCES_MAX);
        const effects = [
          ...kept(day, known, told, now_ms),
          ...follows.slice(0, DIFFERENCES_MAX),
          ...fees.slice(0, FEES_MAX),
          ...nextOnes(processor, input, told.length > 0 || fees.length > FEES_MAX, now_ms),
        ];
        return { reply: { differences: told.length }, effects };
      },
    });
    if (!isFault(outcome)) return outcome;
    // Another run booked a fee at the same time; the next comparison sees it.
    await later(ctx, input, clock.now());
    return { reply: { differences: 0 } };
  },
});
