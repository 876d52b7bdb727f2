// How long what an operator does not want for good is kept, and what of it may go at a time. Rows of a sequence go from its beginning
// only, and its newest stays: numbers keep no gap, and a head that lies beyond its rows still shows that some were lost.

import { MATCH_TTL_MS, type MatchFacts, refreshOf, statusAt } from './match/state.ts';
import { actionStatus } from './negotiation/action.ts';
import { DAY_MS } from './time.ts';

/** For how many milliseconds rows of a kind are kept; of a kind that is not named, for good. */
export interface Retention {
  /** Of inboxes. */
  readonly events?: number;
  /** Of conversations in which nothing is open. */
  readonly messages?: number;
  /** Calls that were charged, with their attempts. */
  readonly receipts?: number;
  /** What a person was asked, what a model was, and why turns were taken. */
  readonly prompts?: number;
}

/** Nothing goes that is kept for good. */
export const KEEPS_ALL: Retention = {};

/** A match that nobody answered goes so long after it was over. */
export const MATCH_KEPT_MS = 30 * DAY_MS;

/** Counts of views are kept for two years: analytics show one, beside the year before. */
export const VIEWS_KEPT_MS = 731 * DAY_MS;

interface Aged {
  readonly created_at: number;
}

/** As many rows from the beginning of a sequence as are older than a time, up to one that has to stay. */
function oldest<R extends Aged>(rows: readonly R[], before_ms: number, stays: (row: R) => boolean): readonly R[] {
  const end = rows.findIndex((row) => row.created_at >= before_ms || stays(row));
  return end < 0 ? rows : rows.slice(0, end);
}

interface AgedEvent extends Aged {
  readonly seq: number;
  readonly awaiting: number;
  readonly respond_by: number | null;
  /** How many webhooks are to be tried again with it. */
  readonly retries: number;
}

/** Which of an inbox's first events go: none that awaits an answer in time, that the delivery ladder has not come to, or that a webhook
 * is tried again with. */
export function eventsToGo<E extends AgedEvent>(
  events: readonly E[],
  { last_seq, delivered_seq }: { readonly last_seq: number; readonly delivered_seq: number },
  before_ms: number,
  now_ms: number,
): readonly E[] {
  return oldest(events, before_ms, ({ seq, awaiting, respond_by, retries }) => {
    const is_open = awaiting === 1 && (respond_by === null || respond_by > now_ms);
    return is_open || retries > 0 || seq > delivered_seq || seq >= last_seq;
  });
}

/** Which of a conversation's first messages go. */
export function messagesToGo<M extends Aged & { readonly n: number }>(
  messages: readonly M[],
  last_n: number,
  before_ms: number,
): readonly M[] {
  return oldest(messages, before_ms, ({ n }) => n >= last_n);
}

interface Seen {
  readonly last_n: number;
  readonly opener_sent: number;
  readonly other_sent: number;
  readonly opener_seen: number;
  readonly other_seen: number;
}

/** What both sides of a conversation have seen once its messages up to one are gone: no more is unread than is left. */
export function seenWithout(now: Seen, through: number): Pick<Seen, 'opener_seen' | 'other_seen'> {
  const left = now.last_n - through;
  return {
    opener_seen: Math.max(now.opener_seen, now.other_sent - left),
    other_seen: Math.max(now.other_seen, now.opener_sent - left),
  };
}

/** What of a match says whether somebody answered it. */
interface Answers {
  readonly conversation_id: string | null;
  readonly feedback: object | null;
}

/**
 * Whether a match goes: it has been over for long, and nobody ever answered it. One that two listings would find anew only because
 * its row is gone stays: `edited_at_ms` is when one of them was last changed, null where one of them is gone.
 */
export function matchGoes(match: MatchFacts & Answers, edited_at_ms: number | null, now_ms: number): boolean {
  const { created_at_ms, approved_by, saved_by, conversation_id, feedback } = match;
  if (created_at_ms + MATCH_TTL_MS + MATCH_KEPT_MS > now_ms) return false;
  if (approved_by.length + saved_by.length > 0 || conversation_id !== null || feedback !== null) return false;
  if (!['expired', 'superseded'].includes(statusAt(match, now_ms))) return false;
  return edited_at_ms === null || refreshOf(match, edited_at_ms, now_ms) === 'anew';
}

/** Whether what a person was asked is over: nothing waits for a word, and nothing that was let go is under way. */
export function promptGoes(action: Parameters<typeof actionStatus>[0], now_ms: number): boolean {
  const status = actionStatus(action, now_ms);
  return status !== 'pending' && (status !== 'approved' || action.result !== null);
}
