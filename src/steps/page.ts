// A page of the filtered rows of a list. One call reads a bounded number of rows and bytes: when it stops before the list's
// end, the page is short and its cursor continues.
import type { Page } from '../contract/reply.ts';

/** Read at once where not all fit. */
const SLICE_ROWS = 64;
/** The most that one call reads: some milliseconds of work that block the thread. */
const ROWS_MAX = 1_024;
const BYTES_MAX = 1_048_576;

export interface Sifted<T> {
  /** Where to begin: a cursor of the list. */
  readonly from: string;
  readonly limit: number;
  /** The next rows of the list after a cursor. */
  readonly read: (cursor: string, limit: number) => Promise<readonly T[]>;
  readonly cursorOf: (row: T) => string;
  readonly textOf: (row: T) => string;
  /** Null when all do. */
  readonly fits: ((row: T) => boolean) | null;
}

let last_slice: Promise<void> = Promise.resolve();

/** Resolves when the event loop has come round since the last slice of any list: each holds it for milliseconds. */
function nextSlice(): Promise<void> {
  last_slice = last_slice.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last_slice;
}

/** The first rows that fit; `next_cursor` is null only where the list has ended. */
export async function siftedPage<T>({ from, limit, read, cursorOf, textOf, fits }: Sifted<T>): Promise<Page<T>> {
  const items: T[] = [];
  const slice = fits ? SLICE_ROWS : limit + 1;
  let cursor = from;
  let rows_read = 0;
  let bytes_read = 0;
  while (rows_read < ROWS_MAX) {
    const rows = await read(cursor, slice);
    for (const row of rows) {
      const fitting = fits === null || fits(row);
      if (fitting && items.length === limit) return { items, next_cursor: cursor };
      if (fitting) items.push(row);
      cursor = cursorOf(row);
      bytes_read += Buffer.byteLength(textOf(row));
      if (bytes_read >= BYTES_MAX) return { items, next_cursor: cursor };
    }
    rows_read += rows.length;
    if (rows.length < slice) return { items, next_cursor: null };
    await nextSlice();
  }
  return { items, next_cursor: cursor };
}

/** Cuts rows to `limit`; one more was read to know whether another page follows. */
export function cutPage<R>(
  rows: readonly R[],
  limit: number,
  idOf: (row: R) => string,
): { readonly shown: readonly R[]; readonly next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, next_cursor: last === undefined ? null : idOf(last) };
}
