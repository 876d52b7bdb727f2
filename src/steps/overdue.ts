// Overdue work of all kinds, for operators.
import {
  inboxesBehind,
  oldestUndelivered,
  openDisputes,
  openPayouts,
  overdueLetters,
  overdueMatching,
  overdueReminders,
  pendingFundings,
  unknownAttempts,
} from '../../db/queries/overdue.ts';
import type { Read } from '../../db/store.ts';
import { DAY_MS } from '../domain/time.ts';

/** A call to a provider has ended after this time. */
const UNDER_WAY_MS = 120_000;

export interface Overdue {
  readonly n: number;
  /** When the oldest of it began to wait. */
  readonly oldest: number | null;
}

/** By its kind. */
export async function readOverdue(read: Read, now_ms: number): Promise<Readonly<Record<string, Overdue>>> {
  const none: Overdue = { n: 0, oldest: null };
  const [reminders, matching, letters, inboxes, undelivered, payouts, fundings, disputes, calls] = await Promise.all([
    read(overdueReminders, { now_ms }),
    read(overdueMatching, { now_ms }),
    read(overdueLetters, { now_ms }),
    read(inboxesBehind, {}),
    read(oldestUndelivered, {}),
    read(openPayouts, {}),
    read(pendingFundings, {}),
    read(openDisputes, {}),
    read(unknownAttempts, { from: now_ms - DAY_MS, to: now_ms - UNDER_WAY_MS }),
  ]);
  return {
    reminders: reminders ?? none,
    matching: matching ?? none,
    letters: letters ?? none,
    inboxes: { n: inboxes?.n ?? 0, oldest: undelivered?.oldest ?? null },
    payouts: payouts ?? none,
    fundings: fundings ?? none,
    disputes: disputes ?? none,
    router_calls: calls ?? none,
  };
}
