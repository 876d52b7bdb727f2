// Server-sent events: a direct stream that Bun flushes once a tick for any number of events, a heartbeat shared by all streams, and
// one clean-up for every end. A reader that falls 1 MiB behind, or accepts nothing for two heartbeats, is cut; it resumes by
// seq and loses nothing.
import type { StreamSink } from '../contract/operation.ts';

/** rules.md 10. */
const QUEUED_MAX = 1_048_576;
/** interface.md, Limits: a comment line every 25 seconds, on the wall clock. */
const KEEPALIVE_SECONDS = 25;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

interface DirectController {
  /** A promise means that the reader's socket is full: it resolves when the queue has drained. */
  write(chunk: string): number | Promise<number>;
  flush(): unknown;
  end(): unknown;
}

/** The open streams by the second of the round in which each is due, so that thousands are never beaten at once. */
const rounds: Set<Sink>[] = Array.from({ length: KEEPALIVE_SECONDS }, () => new Set());
let round = 0;
let heartbeat: ReturnType<typeof setInterval> | null = null;

function beat(): void {
  round = (round + 1) % KEEPALIVE_SECONDS;
  for (const sink of rounds[round] ?? []) sink.beat();
}

class Sink implements StreamSink {
  #controller: DirectController | null;
  readonly #ended: PromiseWithResolvers<void>;
  readonly #round: Set<Sink> | undefined;
  #listeners: (() => void)[] = [];
  /** The bytes queued since the reader's socket was full; 0 while it accepts everything. */
  #queued = 0;
  #drain: Promise<void> | null = null;
  #stalled_beats = 0;

  constructor(controller: DirectController, ended: PromiseWithResolvers<void>) {
    this.#controller = controller;
    this.#ended = ended;
    this.#round = rounds[round];
    this.#round?.add(this);
    heartbeat ??= setInterval(beat, 1_000);
  }

  write(chunk: string): boolean {
    const controller = this.#controller;
    if (!controller) return false;
    const written = controller.write(chunk);
    if (typeof written === 'number') return true;
    this.#queued += Buffer.byteLength(chunk);
    if (this.#queued > QUEUED_MAX) {
      this.#end(true);
      return false;
    }
    this.#drain ??= this.#drained(written);
    return true;
  }

  async #drained(written: Promise<number>): Promise<void> {
    await written.catch(() => this.#end(true));
    this.#drain = null;
    this.#queued = 0;
    this.#stalled_beats = 0;
  }

  waitForDrain(): Promise<void> {
    return this.#drain ?? Promise.resolve();
  }

  beat(): void {
    // A socket that has been full for two rounds is dead or as good as dead.
    if (this.#drain && ++this.#stalled_beats > 2) this.#end(true);
    else this.write(': keep-alive\n\n');
  }

  close(): void {
    // Ending politely would wait for a reader that does not read.
    this.#end(this.#queued > 0);
  }

  /** `cut` resets the connection and drops queued data; else the stream ends after the written data. */
  #end(cut: boolean): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#controller = null;
    this.#round?.delete(this);
    if (heartbeat && openStreams() === 0) {
      clearInterval(heartbeat);
      heartbeat = null;
    }
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
    if (cut) {
      // Rejecting the stream's own promise is what makes Bun reset the connection at once.
      this.#ended.reject();
      return;
    }
    controller.end();
    this.#ended.resolve();
  }

  onClose(listener: () => void): void {
    if (this.#controller) this.#listeners.push(listener);
    else listener();
  }
}

/** A reader that is already gone, so that the stream's resources are freed at once. */
const GONE: StreamSink = {
  write: () => false,
  waitForDrain: () => Promise.resolve(),
  close: () => {},
  onClose: (listener) => listener(),
};

/** The response that stays open; `start` gets the sink once the reader is there. */
export function openStream(
  request: Request,
  start: (sink: StreamSink) => void,
  headers: Readonly<Record<string, string>>,
): Response {
  // HEAD gets only the headers; no stream is opened.
  if (request.method === 'HEAD') {
    start(GONE);
    return new Response(null, { headers: { ...HEADERS, ...headers } });
  }
  let sink: Sink | null = null;
  const body = new ReadableStream({
    type: 'direct',
    pull(controller: DirectController) {
      const ended = Promise.withResolvers<void>();
      sink = new Sink(controller, ended);
      // The headers go out with the first byte, so one is sent at once.
      sink.write(': open\n\n');
      controller.flush();
      start(sink);
      return ended.promise;
    },
    cancel() {
      sink?.close();
    },
    // Bun's direct streams are not in the web platform's types.
  } as unknown as UnderlyingDefaultSource);
  request.signal.addEventListener('abort', () => sink?.close(), { once: true });
  return new Response(body, { headers: { ...HEADERS, ...headers } });
}

export function openStreams(): number {
  return rounds.reduce((sum, { size }) => sum + size, 0);
}

/** Ends every stream; the readers come back by seq. */
export function closeStreams(): void {
  for (const sinks of rounds) for (const sink of [...sinks]) sink.close();
}
