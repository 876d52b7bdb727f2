// The operator's retention of data, and which rows may be deleted at a time. Rows of a sequence are deleted from its beginning only, and
// the newest stays: numbers have no gaps, and a head beyond its rows still shows a loss.

import { acceptsMessages, type Status } from './conversation/conversation.ts';
import { MATCH_TTL_MS, type MatchFacts, refreshOf, statusAt } from './match/state.ts';
import { actionStatus } from './negotiation/action.ts';
import { DAY_MS } from './time.ts';

/** The retention of kinds of rows in milliseconds; absent kinds are kept for good. */
export interface Retention {
  /** Events of inboxes. */
  readonly events?: number;
  /** Messages of conversations without open business, and meetings. */
  readonly messages?: number;
  /** Charged calls, with their attempts, and money that was set aside for calls and went back. */
  readonly receipts?: number;
  /** Questions to persons and to models, and explanations of turns. */
  readonly prompts?: number;
}

/** Keeps everything for good. */
export const KEEPS_ALL: Retention = {};

/** How long an unanswered match is kept after it closed. */
export const MATCH_KEPT_MS = 30 * DAY_MS;

/** Counts of views are kept for two years: analytics show one, beside the year before. */
export const VIEWS_KEPT_MS = 731 * DAY_MS;

/** How long a label is kept that no live listing carries. */
export const LABELS_KEPT_MS = 30 * DAY_MS;

interface Aged {
  readonly created_at: number;
}

/** The rows at the beginning of a sequence that are older than a time, up to the first one that must stay. */
function oldest<R extends Aged>(rows: readonly R[], before_ms: number, stays: (row: R) => boolean): readonly R[] {
  const end = rows.findIndex((row) => row.created_at >= before_ms || stays(row));
  return end < 0 ? rows : rows.slice(0, end);
}

interface AgedEvent extends Aged {
  readonly seq: number;
  readonly awaiting: number;
  readonly respond_by: number | null;
  /** The number of pending webhook retries of the event. */
  readonly retries: number;
}

/** Which of an inbox's first events are deleted: none that still awaits an answer, that delivery has not handled, or that has pending retries. */
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

/** Which of a conversation's first messages are deleted. */
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

/** The seen counts of both sides after messages up to `through` are deleted: at most the remaining messages are unread. */
export function seenWithout(now: Seen, through: number): Pick<Seen, 'opener_seen' | 'other_seen'> {
  const left = now.last_n - through;
  return {
    opener_seen: Math.max(now.opener_seen, now.other_sent - left),
    other_seen: Math.max(now.other_seen, now.opener_sent - left),
  };
}

/** The fields of a match that tell whether it was answered. */
interface Answers {
  readonly conversation_id: string | null;
  readonly feedback: object | null;
}

/**
 * Whether a match is deleted: it closed long ago and was never answered. It stays where its two listings would match anew only because
 * the row is missing: `edited_at_ms` is the last change of one of them, null where one of them is deleted.
 */
export function matchGoes(match: MatchFacts & Answers, edited_at_ms: number | null, now_ms: number): boolean {
  const { created_at_ms, approved_by, saved_by, conversation_id, feedback } = match;
  if (created_at_ms + MATCH_TTL_MS + MATCH_KEPT_MS > now_ms) return false;
  if (approved_by.length + saved_by.length > 0 || conversation_id !== null || feedback !== null) return false;
  if (!['expired', 'superseded'].includes(statusAt(match, now_ms))) return false;
  return edited_at_ms === null || refreshOf(match, edited_at_ms, now_ms) === 'anew';
}

/** Whether an action is deleted: it is neither pending nor approved and in progress. */
export function promptGoes(action: Parameters<typeof actionStatus>[0], now_ms: number): boolean {
  const status = actionStatus(action, now_ms);
  return status !== 'pending' && (status !== 'approved' || action.result !== null);
}

/** Whether the reasons of a turn are deleted: its conversation takes no messages any more. An agent reads its earlier turns to know how far
 * it has bargained, and when it has taken all that it may. */
export function turnGoes(
  { status, updated_at }: { readonly status: Status | null; readonly updated_at: number | null },
  now_ms: number,
): boolean {
  return status === null || updated_at === null || !acceptsMessages({ status, updated_at }, now_ms);
}
