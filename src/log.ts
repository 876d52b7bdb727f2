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
  readonly count?: number;
  readonly duration_ms?: number;
  readonly error?: string;
  readonly error_text?: string;
  readonly error_at?: readonly string[];
}

/** Where events are told. Sentences are constant texts; whatever varies is a field. */
export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;
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
  count: true,
  duration_ms: true,
  error: true,
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

/**
 * The fields of an error: its name, where it happened, and its text if that is ours or the system's. The texts of
 * parsers and of most libraries quote their input, which may be a stranger's body or a secret.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s*at /.test(line));
  const plain = error.name.startsWith('Assertion') || error.name === 'SQLiteError' || 'syscall' in error;
  return {
    error: error.name,
    ...(plain ? { error_text: error.message } : {}),
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
  return {
    debug: (sentence, fields = {}) => logger.debug(fields, sentence),
    info: (sentence, fields = {}) => logger.info(fields, sentence),
    warn: (sentence, fields = {}) => logger.warn(fields, sentence),
    error: (sentence, fields = {}) => logger.error(fields, sentence),
  };
}
