// Server-sent events: a direct stream whose bytes are encoded once, one shared heartbeat for all of them, and one clean-up
// however the stream ends. A reader that falls 1 MiB behind is cut; it resumes by seq and loses nothing.
import type { StreamSink } from '../operations/operation.ts';

/** decisions.md 10. */
const QUEUED_MAX = 1_048_576;
/** interface.md, Limits: a comment line every 25 seconds, on the wall clock. */
const KEEPALIVE_MS = 25_000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

interface DirectController {
  write(chunk: string): number | Promise<number>;
  flush(): number | Promise<number>;
  end(): void;
}

const open = new Set<Sink>();
let heartbeat: ReturnType<typeof setInterval> | null = null;

function beat(): void {
  for (const sink of open) sink.write(': keep-alive\n\n');
}

class Sink implements StreamSink {
  #controller: DirectController | null;
  #queued = 0;
  #listeners: (() => void)[] = [];
  readonly #ended: () => void;

  constructor(controller: DirectController, ended: () => void) {
    this.#controller = controller;
    this.#ended = ended;
    open.add(this);
    heartbeat ??= setInterval(beat, KEEPALIVE_MS);
  }

  write(chunk: string): boolean {
    const controller = this.#controller;
    if (!controller) return false;
    controller.write(chunk);
    const flushed = controller.flush();
    if (typeof flushed === 'number') return true;
    this.#queued += chunk.length;
    if (this.#queued > QUEUED_MAX) {
      this.close();
      return false;
    }
    void flushed.then(
      () => {
        this.#queued -= chunk.length;
      },
      () => this.close(),
    );
    return true;
  }

  close(): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#controller = null;
    open.delete(this);
    if (open.size === 0 && heartbeat) {
      clearInterval(heartbeat);
      heartbeat = null;
    }
    for (const listener of this.#listeners) listener();
    this.#listeners = [];
    try {
      controller.end();
    } catch {
      // The connection is gone already; there is nothing left to end.
    }
    this.#ended();
  }

  onClose(listener: () => void): void {
    if (this.#controller) this.#listeners.push(listener);
    else listener();
  }
}

/** The response that stays open; `start` gets the sink once the reader is there. */
export function openStream(
  request: Request,
  start: (sink: StreamSink) => void,
  headers: Readonly<Record<string, string>>,
): Response {
  let sink: Sink | null = null;
  const body = new ReadableStream({
    type: 'direct',
    pull(controller: DirectController) {
      const { promise, resolve } = Promise.withResolvers<void>();
      sink = new Sink(controller, resolve);
      // The headers go out with the first byte, so one is sent at once.
      sink.write(': open\n\n');
      start(sink);
      return promise;
    },
    cancel() {
      sink?.close();
    },
    // Bun's direct streams are not in the web platform's types.
  } as unknown as UnderlyingDefaultSource);
  request.signal.addEventListener('abort', () => sink?.close(), { once: true });
  return new Response(body, { headers: { ...HEADERS, ...headers } });
}

/** How many streams are open, for the metrics. */
export function openStreams(): number {
  return open.size;
}

/** Ends every stream; the readers come back by seq. */
export function closeStreams(): void {
  for (const sink of [...open]) sink.close();
}
