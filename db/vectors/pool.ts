// Many short lists of numbers in one array. A typed array per list would cost a hundred bytes beside its numbers, and rare
// words make millions of lists.

/** Numbers that a pool begins with. */
const FIRST_ROOM = 4_096;
/** Up to here the array doubles; beyond it grows by a quarter, because grown memory is resident. */
const DOUBLING_MAX = 256 * 1024;

export class Pool {
  /** All blocks; replaced by a new array when it grows, so it must be read again each time. */
  numbers = new Uint32Array(FIRST_ROOM);
  #end = 0;
  /** Starts of blocks that were given back, by their size. */
  readonly #free: number[][] = [];
  readonly #steps: number;

  /** Blocks are as large as a power of two, or as one of 2 ** `steps` sizes up to the next: less room stays unused, and a list that
   * grows moves more often. */
  constructor(steps = 0) {
    this.#steps = steps;
  }

  /** The size of a block for `length` numbers, one at least. */
  #sizeOf(length: number): number {
    const bits = Math.max(0, 31 - Math.clz32(length - 1) - this.#steps);
    return (((length - 1) >>> bits) + 1) << bits;
  }

  /** Allocates a block; returns its start. */
  take(length: number): number {
    const size = this.#sizeOf(length);
    const start = this.#free[size]?.pop();
    if (start !== undefined) return start;
    const end = this.#end + size;
    if (end > this.numbers.length) {
      const room = Math.floor(this.numbers.length * (this.numbers.length < DOUBLING_MAX ? 2 : 1.25));
      const longer = new Uint32Array(Math.max(end, room));
      longer.set(this.numbers);
      this.numbers = longer;
    }
    this.#end = end;
    return end - size;
  }

  /** Frees a block. */
  give(start: number, length: number): void {
    const size = this.#sizeOf(length);
    const free = this.#free[size];
    if (free) free.push(start);
    else this.#free[size] = [start];
  }

  /** Appends a number to a list of `length` that starts at `start`; answers where the list then starts. */
  append(start: number, length: number, value: number): number {
    let at = start;
    if (length === 0) at = this.take(1);
    else if (this.#sizeOf(length + 1) !== this.#sizeOf(length)) {
      at = this.take(length + 1);
      this.numbers.copyWithin(at, start, start + length);
      this.give(start, length);
    }
    this.numbers[at + length] = value;
    return at;
  }

  /** Takes the number at place `i` out of a list, whose last one moves there; answers where the list then starts. */
  drop(start: number, length: number, i: number): number {
    const left = length - 1;
    this.numbers[start + i] = this.numbers[start + left] ?? 0;
    if (left > 0 && this.#sizeOf(left) === this.#sizeOf(length)) return start;
    const at = left > 0 ? this.take(left) : 0;
    this.numbers.copyWithin(at, start, start + left);
    this.give(start, length);
    return at;
  }
}

/** A typed array of numbers by number, which grows as far as it is asked to. */
export function grown(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= numbers.length) return numbers;
  const longer = new Uint32Array(Math.max(length, numbers.length * 2));
  longer.set(numbers);
  return longer;
}
