// Resuming a stream of numbered events: the position that a reader gives, and the messages where that position no longer exists.
import { type TInteger, type TOptional, type TString, Type } from 'typebox';
import { oldestAfter } from '../domain/inbox/inbox.ts';

/** The input of such a stream; `number` is the name of its numbers. */
export function resuming(number: string): { after: TOptional<TInteger>; last_event_id: TOptional<TString> } {
  return {
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: `the last ${number} you have` }),
    ),
    last_event_id: Type.Optional(
      Type.String({ maxLength: 1_000, description: `the last ${number} you have, as sent by EventSource` }),
    ),
  };
}

/** The number after which the stream resumes. The header overrides `after`; one that is no number is ignored (Q112). */
export function resumeFrom({ after = 0, last_event_id }: { after?: number; last_event_id?: string }): number {
  return last_event_id !== undefined && /^\d{1,15}$/.test(last_event_id) ? Number(last_event_id) : after;
}

/** Tells a reader that its position is beyond the end, as after a restore: it resumes after `id`, which an EventSource keeps. */
export function encodeReset(epoch: number, id: number | string, told: Readonly<Record<string, number>> = {}): string {
  return `id: ${id}\nevent: reset\ndata: ${JSON.stringify({ reset: true, epoch, ...told })}\n\n`;
}

/** The prefix of the event `seq` for a reader that is at `after`: where the events between are deleted, it says so and moves the
 * reader to `id`. `about` names one of several inboxes. */
export function encodeOldest(
  { seq, after, epoch }: { readonly seq: number; readonly after: number; readonly epoch: number },
  id: () => number | string = () => seq - 1,
  about: Readonly<Record<string, string>> = {},
): string {
  const oldest_seq = oldestAfter({ seq }, after);
  if (oldest_seq === null) return '';
  return `id: ${id()}\nevent: oldest\ndata: ${JSON.stringify({ oldest_seq, epoch, ...about })}\n\n`;
}
