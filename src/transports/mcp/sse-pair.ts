// The older pair of addresses (MCP 2024-11-05, HTTP with SSE): a stream, on which all answers come, and one that takes messages for
// it. A message finds its stream by an id that nobody can guess and by who sends it, on the node that holds the stream: where
// several nodes serve, a balancer has to send both to the same one.
import type { StreamSink } from '../../contract/operation.ts';
import type { Opened } from '../../pipeline/call.ts';

/** A client opens one, and another when it was cut. */
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

  /** Whether a caller has as many as one may hold. */
  isFull(caller: string): boolean {
    return (this.#ofCaller.get(caller) ?? 0) >= CALLER_MAX;
  }

  /** Where messages of one of its callers go; undefined for nobody's, and for somebody else's. */
  find(id: string | null, caller: string): Pair | undefined {
    const pair = id === null ? undefined : this.#pairs.get(id);
    return pair?.caller === caller ? pair : undefined;
  }

  /** Serves the stream of one pair: first where its messages go. `changed` is what is said when the caller's inbox has changed, null
   * for nothing; `choice` is the end of the address at which messages are taken. It ends with the key that opened it. */
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
