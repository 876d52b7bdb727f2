// The inbox: an agent's events in the order of their seq. seq starts at 1 and has no gaps except before the first stored event. Read
// marks are ranges, because agents may read out of order and with several readers.
import { DAY_MS } from '../time.ts';

const AWAITED_POLL_SECONDS = 60;
const IDLE_POLL_SECONDS = 900;

/** The most ranges of read marks; beyond it the oldest gap counts as read, since readers do not return to it. */
const RANGES_MAX = 256;

type Range = readonly [from: number, to: number];

function parse(text: string): Range[] {
  if (text === '') return [];
  return text.split(',').map((part): Range => {
    const [from = '', to = from] = part.split('-');
    return [Number(from), Number(to)];
  });
}

/**
 * The read marks `text` (sorted, merged, inclusive ranges such as `1-50,60-61,70`; empty for none) after `from` to `to`
 * was read too. Touching ranges merge, so a reader that misses nothing keeps a single one.
 */
export function addRange(text: string, from: number, to: number): string {
  if (!(from >= 1 && to >= from)) return text;
  const merged: Range[] = [];
  const sorted = [...parse(text), [from, to] as const].sort((a, b) => a[0] - b[0]);
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1] + 1) merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])];
    else merged.push(range);
  }
  while (merged.length > RANGES_MAX) {
    const [first, second] = merged.splice(0, 2);
    if (first && second) merged.unshift([first[0], second[1]]);
  }
  return merged.map(([low, high]) => (low === high ? `${low}` : `${low}-${high}`)).join(',');
}

/** Parses read marks once for a whole page of events. */
export function parseReadMarks(text: string): (seq: number) => boolean {
  const ranges = parse(text);
  return (seq) => ranges.some(([from, to]) => seq >= from && seq <= to);
}

/** Whether every event from `first` to `last` was read; as touching ranges are merged, one range must cover all. */
export function isAllRead(text: string, first: number, last: number): boolean {
  return parse(text).some(([from, to]) => first >= from && last <= to);
}

/** How many of the seqs 1 to `head` are not read, by the read marks `text`. */
export function unreadCount(text: string, head: number): number {
  const read = parse(text).reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, head) - from + 1), 0);
  return head - read;
}

/** The seq of the first stored event, where the events between it and a reader's position are deleted; else null. `next` is the first
 * event after the seq `after`. */
export function oldestAfter(next: { readonly seq: number }, after: number): number | null {
  return next.seq > after + 1 ? next.seq : null;
}

/** Seconds to wait before the next pull: 60 while something awaits an answer or is in progress, else 900 (interface.md, Inbox). */
export function nextPoll(pending_count: number, under_way: boolean): number {
  return pending_count > 0 || under_way ? AWAITED_POLL_SECONDS : IDLE_POLL_SECONDS;
}

/** How long a message waits for a reply. */
export const REPLY_WITHIN_MS = 7 * DAY_MS;

/** How long a conversation, a proposal, a delivery or a call counts as in progress after its last event. */
export const UNDER_WAY_MS = DAY_MS;
