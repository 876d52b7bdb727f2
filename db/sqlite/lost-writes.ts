// Thrown by a start on a database that ends before its high-water mark.
import type { LogEnd } from './log-index.ts';

/** A position, and when it was written; null where that is unknown. */
export interface WrittenTo {
  readonly count: number;
  readonly log: LogEnd | null;
  readonly written_at: number | null;
}

const textOf = ({ count, log }: WrittenTo): string =>
  `${count}${log === null ? '' : `, frame ${log.frame} of the log`}`;
const timeOf = (ms: number): string => new Date(ms).toISOString();

/** What an operator can do about it. */
export const LOST_NEXT =
  'keep a copy of the folder. Put the file of the log (meshwork.db-wal) or the newer database back where you have it; or restore a backup: meshwork backup restore latest --replace; or go on without those writes: meshwork serve --accept-loss';

export class LostWrites extends Error {
  override readonly name = 'LostWrites';
  /** When the newest event in the database was written; null where there is none. */
  readonly newest_at: number | null;

  /** `there` is null where there is no database. */
  constructor(data_dir: string, there: WrittenTo | null, marked: WrittenTo) {
    const newest = there?.written_at ?? null;
    const ends =
      there === null
        ? 'there is no meshwork.db'
        : `meshwork.db ends at position ${textOf(there)}${newest === null ? '' : ` (its newest event is of ${timeOf(newest)})`}`;
    const told = `meshwork.db-mark names ${textOf(marked)}${marked.written_at === null ? '' : ` (written ${timeOf(marked.written_at)})`}`;
    super(`writes that were acknowledged are missing in ${data_dir}: ${ends}, and ${told}`);
    this.newest_at = newest;
  }
}
