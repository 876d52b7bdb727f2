// Many short lists of numbers in one array. A typed array per list would cost a hundred bytes beside its numbers, and rare
// words make millions of lists.

/** Numbers that a pool begins with. */
const FIRST_ROOM = 4_096;
/** Up to here the array doubles; beyond it grows by a quarter, because grown memory is resident. */
const DOUBLING_MAX = 256 * 1024;

/** The power of two of a block for `length` numbers. */
function classOf(length: number): number {
  return length < 2 ? 0 : 32 - Math.clz32(length - 1);
}

export class Pool {
  /** All blocks; replaced by a new array when it grows, so it must be read again each time. */
  numbers = new Uint32Array(FIRST_ROOM);
  #end = 0;
  /** Starts of blocks that were given back, by class. */
  readonly #free: number[][] = [];

  /** Allocates a block; returns its start. */
  take(length: number): number {
    const size = classOf(length);
    const start = this.#free[size]?.pop();
    if (start !== undefined) return start;
    const end = this.#end + 2 ** size;
    if (end > this.numbers.length) {
      const room = Math.floor(this.numbers.length * (this.numbers.length < DOUBLING_MAX ? 2 : 1.25));
      const longer = new Uint32Array(Math.max(end, room));
      longer.set(this.numbers);
      this.numbers = longer;
    }
    this.#end = end;
    return end - 2 ** size;
  }

  /** Frees a block. */
  give(start: number, length: number): void {
    const size = classOf(length);
    const free = this.#free[size];
    if (free) free.push(start);
    else this.#free[size] = [start];
  }

  /** Appends a number to a list of `length` that starts at `start`; answers where the list then starts. */
  append(start: number, length: number, value: number): number {
    let at = start;
    if (length === 0) at = this.take(1);
    else if (classOf(length + 1) !== classOf(length)) {
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
    if (left > 0 && classOf(left) === classOf(length)) return start;
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
