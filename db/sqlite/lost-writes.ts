// Thrown by a start on a database that ends before its high-water mark.
import type { Marked, Position } from './mark.ts';

const textOf = ({ count, log }: Position): string => `${count}${log === null ? '' : `, frame ${log.frame} of the log`}`;
const timeOf = (ms: number): string => new Date(ms).toISOString();

/** Names one loss: a later one has another mark, and so another code. */
export function lossCode(there: Position | null, { count, log, written_at }: Marked): string {
  const told = [there?.count ?? null, count, log?.frame ?? null, written_at];
  return Bun.hash.crc32(JSON.stringify(told)).toString(16).padStart(8, '0');
}

export class LostWrites extends Error {
  override readonly name = 'LostWrites';
  /** What `serve --accept-loss` takes. */
  readonly code: string;

  /** `there` is null where there is no database, `newest_at` where its newest event is not known. */
  constructor(data_dir: string, there: Position | null, marked: Marked, newest_at: number | null = null) {
    const newest = newest_at === null ? '' : ` (newest event of ${timeOf(newest_at)})`;
    const ends = there === null ? 'there is no meshwork.db' : `meshwork.db ends at position ${textOf(there)}${newest}`;
    const told = `meshwork.db-mark names ${textOf(marked)} (written ${timeOf(marked.written_at)})`;
    super(`acknowledged writes are missing in ${data_dir}: ${ends}, and ${told}`);
    this.code = lossCode(there, marked);
  }

  /** What an operator can do about it. */
  get next(): string {
    return `keep a copy of the folder, then put meshwork.db-wal or the newer meshwork.db back where you have it; or restore a backup: meshwork backup restore latest --replace; or go on without those writes: meshwork serve --accept-loss ${this.code}`;
  }
}
