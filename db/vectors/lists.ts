// Lists of numbers by number: of each word the rows that carry it. Short ones share a pool; a long one has an array of its own, which
// grows by an eighth. In a pool its blocks would be powers of two, and those that it outgrew would stay behind.
import { grown, Pool } from './pool.ts';

/** From this length on a list has an array of its own. */
const LONG = 128;

export class Lists {
  readonly #short = new Pool();
  readonly #long = new Map<number, Uint32Array<ArrayBuffer>>();
  /** By the list's number: where it starts in the pool, how long it is. */
  #starts = new Uint32Array(64);
  #lengths = new Uint32Array(64);

  /** Bytes of all lists. */
  get room(): number {
    return [...this.#long.values()].reduce((sum, own) => sum + own.byteLength, this.#short.numbers.byteLength);
  }

  lengthOf(list: number): number {
    return this.#lengths[list] ?? 0;
  }

  /** The array that holds a list, and where the list starts in it; valid until the next change. */
  placeOf(list: number): readonly [numbers: Uint32Array, start: number] {
    const own = this.#long.get(list);
    return own ? [own, 0] : [this.#short.numbers, this.#starts[list] ?? 0];
  }

  append(list: number, value: number): void {
    this.#starts = grown(this.#starts, list + 1);
    this.#lengths = grown(this.#lengths, list + 1);
    const length = this.#lengths[list] ?? 0;
    this.#lengths[list] = length + 1;
    const own = this.#long.get(list);
    if (!own && length < LONG) {
      this.#starts[list] = this.#short.append(this.#starts[list] ?? 0, length, value);
      return;
    }
    const roomy = own && length < own.length ? own : this.#lengthen(list, length);
    roomy[length] = value;
  }

  /** Gives a list more room, in an array of its own. */
  #lengthen(list: number, length: number): Uint32Array<ArrayBuffer> {
    const [numbers, start] = this.placeOf(list);
    const longer = new Uint32Array(length + Math.ceil(length / 8));
    longer.set(numbers.subarray(start, start + length));
    if (!this.#long.has(list)) this.#short.give(start, length);
    this.#long.set(list, longer);
    return longer;
  }

  /** Takes the number at place `i` out of a list, whose last one moves there. */
  drop(list: number, i: number): void {
    const length = this.#lengths[list] ?? 0;
    this.#lengths[list] = length - 1;
    const own = this.#long.get(list);
    if (!own) {
      this.#starts[list] = this.#short.drop(this.#starts[list] ?? 0, length, i);
      return;
    }
    own[i] = own[length - 1] ?? 0;
    if (length === 1) this.#long.delete(list);
    else if (length * 2 < own.length) this.#long.set(list, own.slice(0, length + Math.ceil(length / 8)));
  }
}
