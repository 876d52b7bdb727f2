// An agent's own reader of its inbox stream: it comes back with Last-Event-ID to another node whenever it is cut off, and
// keeps every seq that it was given, so that a hole or a repetition shows.
import { readStream, type SseEvent, type SseReader } from '../support/sse.ts';

export class Follower {
  readonly seqs: number[] = [];
  connections = 0;
  readonly #url: (n: number) => string;
  readonly #key: string;
  readonly #heard: (event: SseEvent) => void;
  #node: number;
  #reader: SseReader | null = null;
  #left = false;
  #until: { readonly seq: number; readonly resolve: () => void } | null = null;
  readonly #done: Promise<void>;

  constructor(url: (n: number) => string, node: number, key: string, heard: (event: SseEvent) => void) {
    this.#url = url;
    this.#node = node;
    this.#key = key;
    this.#heard = heard;
    this.#done = this.#run();
  }

  get last(): number {
    return this.seqs.at(-1) ?? 0;
  }

  async #run(): Promise<void> {
    while (!this.#left) {
      const headers = { 'X-API-Key': this.#key, 'Last-Event-ID': String(this.last) };
      try {
        this.#reader = await readStream(`${this.#url(this.#node++)}/api/inbox/stream`, headers);
        this.connections += 1;
        for (;;) for (const event of await this.#reader.take(1)) this.#take(event);
      } catch {
        // Refused or cut off: the next node has it all. The pause keeps a cluster that is down from being stormed.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }

  #take(event: SseEvent): void {
    this.seqs.push(event.id);
    this.#heard(event);
    if (this.#until && event.id >= this.#until.seq) this.#until.resolve();
  }

  /** Resolves when the event of this seq has come. */
  reached(seq: number): Promise<void> {
    if (this.last >= seq) return Promise.resolve();
    return new Promise((resolve) => {
      this.#until = { seq, resolve };
    });
  }

  async leave(): Promise<void> {
    this.#left = true;
    this.#reader?.leave();
    await this.#done;
  }
}
