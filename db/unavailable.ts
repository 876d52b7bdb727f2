// Why the store could not do what it was asked for: the engine's own code of it, and whether its disk is full, which passes only
// when somebody makes room.

/** No space left: SQLITE_FULL, and disk_full of PostgreSQL. */
const FULL = /^(SQLITE_FULL|53100)$/;
/** What is told where there was no answer, and so no code. */
const NO_ANSWER = 'no_answer';

/** SQLite's or PostgreSQL's code of an error, or that of the system beneath them; an empty text where it has none. */
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
  /** The engine's code of what stood in the way. */
  readonly store_code: string;
  /** Whether there is no room; only whoever runs the service can make some. */
  readonly full: boolean;

  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.store_code = storeCodeOf(cause) || NO_ANSWER;
    this.full = FULL.test(this.store_code);
  }
}
