// Streams that outlive their connections: after a disconnect the client reconnects with the id of the last event that it
// passed on. A connection that is silent for two heartbeats counts as dead.
import { MeshworkError, refusalOf } from './error.ts';
import { EventParser } from './events.ts';
import type { Prepared } from './request.ts';
import { failureOf, open, passes, read, type Settings } from './send.ts';
import { backoff, deadline, pause } from './timing.ts';

/** The server writes a comment line every 25 seconds. */
export const SILENCE_MAX_MS = 60_000;

/** An event of a stream; the stream resumes by its `id`. */
export interface Streaming<T> {
  readonly id: string;
  readonly event: string;
  readonly data: T;
}

/** A stream: its request after an id, the decoding of its data, and its longest silence. */
export interface Source<T> {
  readonly request: (last_id: string | null) => Prepared;
  /** Decodes an event's text; throws on an invalid one, and the stream reconnects. */
  readonly decode: (data: string) => T;
  readonly settings: Settings;
  readonly signal: AbortSignal | undefined;
  readonly silence_max_ms: number;
  /** The id after which it begins; without one it begins now. */
  readonly after?: string | null;
}

/** The position of a reader: the id of the last event, null before the first. */
interface Place {
  last_id: string | null;
}

async function opened(request: Prepared, settings: Settings, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await open(request, settings, signal, 'text/event-stream');
  const { body, headers, ok } = response;
  const { operation } = request;
  if (!ok) await read(response, operation);
  if (ok && body && headers.get('content-type')?.startsWith('text/event-stream')) return body;
  await body?.cancel();
  throw refusalOf(null, response, operation);
}

/** The events of one connection, until the server ends it; advances the position. Throws as `send` does. */
async function* connect<T>(
  { request, decode, settings, signal, silence_max_ms }: Source<T>,
  place: Place,
): AsyncGenerator<Streaming<T>> {
  const asked = request(place.last_id);
  const limit = deadline(silence_max_ms, signal);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    reader = (await opened(asked, settings, limit.signal)).getReader();
    const parser = new EventParser();
    for (;;) {
      limit.begin();
      const { done, value } = await reader.read();
      // Only the server's silence counts, not the time that the reader needs for an event.
      limit.rest();
      if (done) return;
      for (const message of parser.take(value)) {
        const data = decode(message.data);
        if (message.id !== '') place.last_id = message.id;
        yield { ...message, data };
      }
      // An id alone is no event, but a reconnect after it resumes there.
      if (parser.last_id !== '') place.last_id = parser.last_id;
    }
  } catch (error) {
    throw failureOf(error, asked.operation, limit.expired() ? silence_max_ms : null, signal);
  } finally {
    limit.clear();
    // Also when the reader stops early, so that the server frees the connection.
    await reader?.cancel().catch(() => undefined);
  }
}

/** Called between two connections: `failure` is null when the server ended the first. */
type Interlude<T> = (failure: MeshworkError | null) => AsyncIterable<Streaming<T>>;

/** Whether an error ends the stream, because only its caller can correct it. */
function ends(error: unknown): boolean {
  if (!(error instanceof MeshworkError)) return true;
  const { code, status } = error;
  return !(passes(error) || status >= 500 || (code === 'invalid_answer' && status < 400));
}

/** The events over any number of connections; ends when the signal fires, throws errors that no reconnect helps.
 * `interlude` may add events while there is no connection. */
export async function* follow<T>(source: Source<T>, interlude?: Interlude<T>): AsyncGenerator<Streaming<T>> {
  const { signal } = source;
  const place: Place = { last_id: source.after ?? null };
  for (let failures = 1; !signal?.aborted; failures++) {
    let failure: MeshworkError | null = null;
    try {
      for await (const message of connect(source, place)) {
        failures = 0;
        yield message;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (ends(error)) throw error;
      failure = error as MeshworkError;
    }
    if (interlude) {
      for await (const message of interlude(failure)) {
        place.last_id = message.id;
        yield message;
      }
    }
    await pause(Math.max((failure?.retry_after ?? 0) * 1_000, backoff(Math.max(failures, 1))), signal);
  }
}
