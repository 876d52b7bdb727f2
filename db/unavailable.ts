// Why the store failed: the engine's own error code, and whether its disk is full, which lasts until the operator frees space.

/** No space left: SQLITE_FULL, and disk_full of PostgreSQL. */
const FULL = /^(SQLITE_FULL|53100)$/;
/** The code when there was no answer. */
const NO_ANSWER = 'no_answer';

/** The error code of SQLite, PostgreSQL or the operating system; empty when the error has none. */
export function storeCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // Bun's client keeps the SQLSTATE in `errno`, and a word of its own in `code`.
  const state = 'errno' in error && typeof error.errno === 'string' ? error.errno : '';
  if (/^[0-9A-Z]{5}$/.test(state)) return state;
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether an error means that the disk of the database is full. */
export function isFull(error: unknown): boolean {
  return FULL.test(storeCodeOf(error));
}

/** The database is away, and did not come back while the call could wait: the same may well succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** The engine's error code. */
  readonly store_code: string;
  /** Whether the disk is full; only the operator can free space. */
  readonly full: boolean;

  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.store_code = storeCodeOf(cause) || NO_ANSWER;
    this.full = FULL.test(this.store_code);
  }
}
