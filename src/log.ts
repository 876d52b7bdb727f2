// The log: one line an event, a short sentence plus fields of a fixed list. No secret, code, key or message content can
// get in by accident, since a field that is not on the list is dropped and an error tells its text only when that text
// cannot quote a request. Layers are handed a Log; only main and the command line make one.

import { writeSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/** What may be logged beside the sentence. Ids and counts, never what people wrote. */
export interface LogFields {
  readonly request_id?: string;
  readonly trace_id?: string;
  readonly operation?: string;
  readonly door?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly fault?: string;
  readonly agent_id?: string;
  readonly account_id?: string;
  readonly listing_id?: string;
  readonly reminder_id?: string;
  readonly delivery_id?: string;
  readonly outbox_file?: string;
  readonly url?: string;
  readonly variable?: string;
  readonly lost?: string;
  readonly count?: number;
  readonly duration_ms?: number;
  /** The CPU time of this process meanwhile. */
  readonly cpu_ms?: number;
  readonly error?: string;
  readonly store_code?: string;
  readonly error_text?: string;
  readonly error_at?: readonly string[];
}

/** How often a store that stays away is told of again, with how often it was met meanwhile. */
const STORE_AGAIN_MS = 60_000;

/** Errors of the store, by their codes: every request meets the same full disk, and a line for each would fill the next one. */
class StoreErrors {
  readonly counts = new Map<string, number>();
  /** Codes that were told, with how often each was met since. */
  readonly #told = new Map<string, number>();
  readonly #again: (store_code: string, count: number) => void;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(again: (store_code: string, count: number) => void) {
    this.#again = again;
  }

  /** Counts an error; whether it is to be told. */
  take({ store_code, error }: LogFields): boolean {
    if (store_code === undefined) return true;
    this.counts.set(store_code, (this.counts.get(store_code) ?? 0) + 1);
    // Any other error of the database is a fault of ours, whose place counts.
    if (error !== STORE_AWAY) return true;
    const met = this.#told.get(store_code);
    this.#told.set(store_code, met === undefined ? 0 : met + 1);
    this.#timer ??= setInterval(() => this.#tell(), STORE_AGAIN_MS).unref();
    return met === undefined;
  }

  #tell(): void {
    for (const [code, count] of this.#told) {
      if (count === 0) this.#told.delete(code);
      else {
        this.#told.set(code, 0);
        this.#again(code, count);
      }
    }
    if (this.#told.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

/** An error as it was told last, with how often it was told. */
export interface RecentError {
  /** When it was told last, by the wall clock. */
  readonly at_ms: number;
  readonly message: string;
  readonly error: string | null;
  readonly operation: string | null;
  readonly count: number;
}

/** Kinds of errors that are remembered. */
const RECENT_MAX = 50;

class RecentErrors {
  /** By what they say; the one that was told last stands last. */
  readonly #told = new Map<string, RecentError>();

  note(
    message: string,
    { error = null, operation = null }: { readonly error?: string | null; readonly operation?: string | null },
  ): void {
    const key = [message, error, operation].join(' ');
    const count = (this.#told.get(key)?.count ?? 0) + 1;
    this.#told.delete(key);
    this.#told.set(key, { at_ms: Date.now(), message, error, operation, count });
    const [oldest] = this.#told.keys();
    if (this.#told.size > RECENT_MAX && oldest !== undefined) this.#told.delete(oldest);
  }

  /** The newest first. */
  list(): readonly RecentError[] {
    return [...this.#told.values()].reverse();
  }
}

/** Where events are told. Sentences are constant texts; whatever varies is a field. */
export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;
  /** How many errors of the store were told or counted here, by their codes. */
  readonly store_errors?: ReadonlyMap<string, number>;
  /** The errors that were told lately, the newest first. */
  recentErrors?(): readonly RecentError[];
}

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** The list again as values, which the compiler keeps complete. */
const ALLOWED: { readonly [Name in keyof Required<LogFields>]: true } = {
  request_id: true,
  trace_id: true,
  operation: true,
  door: true,
  method: true,
  route: true,
  status: true,
  fault: true,
  agent_id: true,
  account_id: true,
  listing_id: true,
  reminder_id: true,
  delivery_id: true,
  outbox_file: true,
  url: true,
  variable: true,
  lost: true,
  count: true,
  duration_ms: true,
  cpu_ms: true,
  error: true,
  store_code: true,
  error_text: true,
  error_at: true,
};

/** A field longer than this is cut: nothing that is worth a log line is longer, but a pasted body is. */
const LONGEST_FIELD = 300;

/** Eight frames reach from the failing line through the pipeline to the door. */
const FRAMES = 8;

function allowedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(fields).filter(([name]) => Object.hasOwn(ALLOWED, name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, LONGEST_FIELD) : value]),
  );
}

/** What the store's own error is called (db/unavailable.ts). */
const STORE_AWAY = 'StoreUnavailable';

/** The code of the database behind an error: the store's own word, else SQLite's, else the SQLSTATE of PostgreSQL. */
function storeCode(error: Error): string | null {
  if ('store_code' in error) return String(error.store_code);
  if (error.name === 'SQLiteError' && 'code' in error) return String(error.code);
  return error.name === 'PostgresError' && 'errno' in error ? String(error.errno) : null;
}

/**
 * The fields of an error: its name, where it happened, and its text if that is ours or the system's. The texts of
 * parsers and of most libraries quote their input, which may be a stranger's body or a secret.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s*at /.test(line));
  // The store says only that it is away; what stood in the way is its cause, whose text names no row.
  const away = error.name === STORE_AWAY && error.cause instanceof Error;
  const told = away && error.cause instanceof Error ? error.cause : error;
  const plain = away || told.name.startsWith('Assertion') || told.name === 'SQLiteError' || 'syscall' in told;
  const store_code = storeCode(error);
  return {
    error: error.name,
    ...(store_code === null ? {} : { store_code }),
    ...(plain ? { error_text: told.message } : {}),
    error_at: frames.slice(0, FRAMES).map((frame) => frame.trim()),
  };
}

/** One line for people: the time, the level, the sentence, then `name=value`. */
export function logText(json: string): string {
  // pino has just made this line from an object.
  const { time, level, msg, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const shown = Object.entries(fields).map(([name, value]) => {
    return `${name}=${typeof value === 'string' && !/[\s"=]/.test(value) ? value : JSON.stringify(value)}`;
  });
  return `${[time, String(level).padEnd(5), msg, ...shown].join(' ')}\n`;
}

/** Standard error, written at once: a line must not be lost when the process dies the instant after. */
const standardError: DestinationStream = { write: (line) => void writeSync(2, line) };

/**
 * Makes the log. `format` is text or JSON lines; without one, text on a terminal and JSON elsewhere. pino's transports
 * are not used: they are worker threads that look for files beside them, which the single binary does not have.
 */
export function createLog(level: Level, format?: 'text' | 'json', sink: DestinationStream = standardError): Log {
  const text = (format ?? (process.stderr.isTTY ? 'text' : 'json')) === 'text';
  const out = text ? { write: (line: string) => sink.write(logText(line)) } : sink;
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: allowedFields },
  };
  const logger = pino(options, out);
  const store = new StoreErrors((store_code, count) => logger.error({ store_code, count }, 'the store is still away'));
  const recent = new RecentErrors();
  return {
    store_errors: store.counts,
    recentErrors: () => recent.list(),
    debug: (sentence, fields = {}) => logger.debug(fields, sentence),
    info: (sentence, fields = {}) => logger.info(fields, sentence),
    warn: (sentence, fields = {}) => logger.warn(fields, sentence),
    error: (sentence, fields = {}) => {
      if (!store.take(fields)) return;
      recent.note(sentence, fields);
      logger.error(fields, sentence);
    },
  };
}
