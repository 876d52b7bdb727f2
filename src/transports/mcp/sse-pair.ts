// The older pair of addresses (MCP 2024-11-05, HTTP with SSE): a stream for all answers, and an address for messages. A message finds
// its stream by an unguessable id and its sender, on the node that holds the stream: with several nodes, a load balancer must send
// both to the same one.
import type { StreamSink } from '../../contract/operation.ts';
import type { Opened } from '../../pipeline/call.ts';

/** A client opens one, and another after a disconnect. */
const CALLER_MAX = 16;
const ID_BYTES = 18;

interface Pair {
  readonly caller: string;
  readonly send: (message: string) => boolean;
  readonly onClose: (listener: () => void) => void;
}

export class SsePairs {
  readonly #random: (bytes: number) => Uint8Array;
  readonly #pairs = new Map<string, Pair>();
  readonly #ofCaller = new Map<string, number>();

  constructor(random: (bytes: number) => Uint8Array) {
    this.#random = random;
  }

  /** Whether a caller has the maximum number. */
  isFull(caller: string): boolean {
    return (this.#ofCaller.get(caller) ?? 0) >= CALLER_MAX;
  }

  /** The stream of an id and its caller; undefined for an unknown id or another caller's. */
  find(id: string | null, caller: string): Pair | undefined {
    const pair = id === null ? undefined : this.#pairs.get(id);
    return pair?.caller === caller ? pair : undefined;
  }

  /** Serves the stream of one pair, which begins with the address for messages. `changed` returns the notification when the caller's
   * inbox has changed, or null; `choice` is the query of that address. It ends with the key that opened it. */
  start(caller: string, opened: Opened, sink: StreamSink, changed: () => string | null, choice: string): void {
    const id = Buffer.from(this.#random(ID_BYTES)).toString('base64url');
    const onClose = (listener: () => void): void => sink.onClose(listener);
    opened.start({
      write: () => {
        const message = changed();
        return message === null || sink.write(eventOf(message));
      },
      waitForDrain: () => sink.waitForDrain(),
      close: () => sink.close(),
      onClose,
    });
    this.#pairs.set(id, { caller, send: (message) => sink.write(eventOf(message)), onClose });
    this.#ofCaller.set(caller, (this.#ofCaller.get(caller) ?? 0) + 1);
    onClose(() => this.#forget(id, caller));
    sink.write(`event: endpoint\ndata: messages?sessionId=${id}${choice}\n\n`);
  }

  #forget(id: string, caller: string): void {
    if (!this.#pairs.delete(id)) return;
    const left = (this.#ofCaller.get(caller) ?? 1) - 1;
    if (left === 0) this.#ofCaller.delete(caller);
    else this.#ofCaller.set(caller, left);
  }
}

export function eventOf(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}
