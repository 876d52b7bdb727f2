// Seals days of the ledger: a hash over each day's journals, the resulting balances, and the seal of the previous day. A day is read
// in small slices, so that other turns do not wait.
import type { ClockState } from '../../../../actors/clock-watch.ts';
import { type Effect, insert } from '../../../../db/effects.ts';
import {
  ApprovalsHash,
  DayBook,
  type DaySeal,
  type DaySum,
  type SealedTransfer,
} from '../../../../db/ledger-check/day-book.ts';
import { historyAfter, newestDay, sumBefore } from '../../../../db/queries/ledger.ts';
import { approvalsAfter } from '../../../../db/queries/negotiation.ts';
import type { Read } from '../../../../db/store.ts';
import type { FlowCtx } from '../../../contract/context.ts';
import { isFault } from '../../../domain/fault.ts';
import { lastSealable } from '../../../domain/money/ledger.ts';
import { beginOf, dayAfter } from '../../../domain/text/day.ts';
import { SEAL, sealLater } from '../../../steps/money/ledger.ts';
import { firstUnsealed } from '../../../steps/money/ledger-standing.ts';
import { remind } from '../../../steps/reminder.ts';

const BITE = 200;

/** The pause before a doubtful clock is checked again. */
const AGAIN_MS = 60_000;

async function bookOf(read: Read, day: string): Promise<DayBook> {
  const book = new DayBook(day);
  const to = beginOf(dayAfter(day));
  let after: Pick<SealedTransfer, 'created_at' | 'journal' | 'id'> = { created_at: beginOf(day), journal: '', id: '' };
  for (;;) {
    const { created_at: at, journal, id } = after;
    const bite = await read(historyAfter, { at, journal, id, to, limit: BITE });
    book.add(bite);
    const last = bite.at(-1);
    if (!last || bite.length < BITE) return book;
    after = last;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function approvalsOf(read: Read, day: string): Promise<string> {
  const hash = new ApprovalsHash();
  const to = beginOf(dayAfter(day));
  let after = { at: beginOf(day), id: '' };
  for (;;) {
    const bite = await read(approvalsAfter, { ...after, to, limit: BITE });
    hash.add(bite.map((row) => ({ ...row, bounds: JSON.stringify(row.bounds) })));
    const last = bite.at(-1);
    if (!last || bite.length < BITE) return hash.end();
    after = { at: last.created_at, id: last.id };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function sumsOf(read: Read, book: DayBook): Promise<DaySum[]> {
  const sums: DaySum[] = [];
  for (const [account, cents] of book.net()) {
    const before = await read(sumBefore, { account, day: book.day });
    sums.push({ account, balance_cents: (before?.balance_cents ?? 0) + cents });
    if (sums.length % BITE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return sums;
}

/** Commits effects that no caller waits for. */
export async function write(ctx: FlowCtx, effects: readonly Effect<never>[]): Promise<void> {
  const outcome = await ctx.turn({ attempt: async () => ({ reply: null, effects }) });
  if (isFault(outcome)) throw new Error(`a day of the ledger could not be sealed: ${outcome.fault}`);
}

/** The seal of a day, computed from the stored journals. */
export async function sealAnew(read: Read, day: string, with_approvals: boolean, previous: string): Promise<DaySeal> {
  const book = await bookOf(read, day);
  const sums = await sumsOf(read, book);
  return book.seal(sums, with_approvals ? await approvalsOf(read, day) : null, previous);
}

async function sealDay(ctx: FlowCtx, day: string, previous: string): Promise<void> {
  const book = await bookOf(ctx.read, day);
  const sums = await sumsOf(ctx.read, book);
  const approvals_hash = await approvalsOf(ctx.read, day);
  for (let from = 0; from < sums.length; from += BITE) {
    const bite = sums.slice(from, from + BITE);
    await write(
      ctx,
      bite.map((sum) => insert('ledger_sums', { id: `${day}:${sum.account}`, day, ...sum }, 'ignore')),
    );
  }
  await write(ctx, [
    insert('ledger_days', { ...book.seal(sums, approvals_hash, previous), created_at: ctx.now_ms }, 'ignore'),
  ]);
}

/** Seals completed days, oldest first; answers how many. A doubtful clock seals none, since a day that has not really
 * ended would be sealed for good. */
export async function sealDays(ctx: FlowCtx, { now_ms, until_ms }: ClockState): Promise<number> {
  if (until_ms !== null) {
    const at = ctx.now_ms + Math.max(until_ms - now_ms, AGAIN_MS);
    await write(ctx, [remind(SEAL, {}, { key: '', at, now_ms: ctx.now_ms })]);
    return 0;
  }
  await write(ctx, [sealLater(ctx.now_ms)]);
  const end = lastSealable(Math.min(now_ms, ctx.now_ms));
  let sealed = 0;
  for (let day = await firstUnsealed(ctx.read); day !== null && day <= end; day = dayAfter(day)) {
    await sealDay(ctx, day, (await ctx.read(newestDay, {}))?.hash ?? '');
    sealed += 1;
  }
  return sealed;
}
