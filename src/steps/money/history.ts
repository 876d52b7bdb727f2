// Reads the balance of a wallet since its first posting. Sealed days have the balance in `ledger_sums`; for later days it is found in
// the postings.
import { guardedBalance, newestDay, postingInAt, postingOutAt, sumsOfAccount } from '../../../db/queries/ledger.ts';
import type { Read } from '../../../db/store.ts';
import { type Held, type History, historyOf } from '../../domain/money/history.ts';
import { beginOf, dayAfter, dayOf } from '../../domain/text/day.ts';
import { DAY_MS } from '../../domain/time.ts';
import { balanceAt } from './statement.ts';

/** Days with postings: eleven years, if there is one every day. */
const SUMS_MAX = 4_000;
/** Days without a seal that are looked up one by one. A day is sealed within hours, unless sealing fails. */
const UNSEALED_MAX = 31;

export async function readHistory({ peek }: Read, agent_id: string, now_ms: number): Promise<History> {
  const account = `wallet:${agent_id}`;
  const first = (await peek(postingInAt, { account, n: 1 })) ?? (await peek(postingOutAt, { account, n: 1 }));
  if (!first) return historyOf([]);
  const [newest, sealed, now] = await Promise.all([
    peek(sumsOfAccount, { account, limit: SUMS_MAX }),
    peek(newestDay, {}),
    peek(guardedBalance, { id: account }),
  ]);
  const held: Held[] = newest.toReversed();
  const today = dayOf(now_ms);
  // The balance before the first posting.
  if (held.length < SUMS_MAX) held.unshift({ day: dayOf(first.created_at - DAY_MS), balance_cents: 0 });
  const unsealed = [sealed ? dayAfter(sealed.id) : '', dayOf(first.created_at), dayOf(now_ms - UNSEALED_MAX * DAY_MS)];
  for (let day = unsealed.sort().at(-1) ?? today; day < today; day = dayAfter(day)) {
    const { balance_cents } = await balanceAt(peek, agent_id, beginOf(dayAfter(day)) - 1);
    held.push({ day, balance_cents });
  }
  held.push({ day: today, balance_cents: now?.balance_cents ?? 0 });
  return historyOf(held);
}
