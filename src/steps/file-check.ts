// Schedules the check of the database file's pages, and stores its result.
import { Type } from 'typebox';
import { apply, type Effect, insert } from '../../db/effects.ts';
import { DAY_MS } from '../domain/time.ts';
import { remind } from './reminder.ts';

export const CHECK_FILE = { name: 'platform.check_file', input: Type.Object({}) } as const;

/** The note of the last check. */
export const FILE_CHECK_NOTE = 'file_check';
const EVERY_MS = 7 * DAY_MS;
/** A start has more to do at first. */
const AFTER_START_MS = 600_000;

export function checkFileLater(now_ms: number): ReturnType<typeof remind> {
  return remind(CHECK_FILE, {}, { key: '', at: now_ms + EVERY_MS, now_ms });
}

/** At a start: a week after the last check, soon where that is over. */
export function checkFileAfter(last_ms: number | null, now_ms: number): ReturnType<typeof remind> {
  const at = Math.max(now_ms + AFTER_START_MS, (last_ms ?? 0) + EVERY_MS);
  return remind(CHECK_FILE, {}, { key: '', at, now_ms });
}

export function noteFileCheck(at_ms: number, problems: number): Effect<never>[] {
  const value = { at_ms, problems };
  return [
    insert('service_notes', { id: FILE_CHECK_NOTE, value }, 'ignore'),
    apply('service_notes', FILE_CHECK_NOTE, () => ({ value })),
  ];
}
