// Seeded randomness: everything that the simulation chooses and every id and secret that the service draws in it comes
// from here, so that a seed names one run for ever.
import type { Clock } from '../../actors/clock.ts';

/** The generator sfc32, of which a seed and a name pick a stream of their own. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #n = 1;

  constructor(seed: number, stream: string) {
    const hash = new Bun.CryptoHasher('sha256').update(`${seed}:${stream}`).digest();
    [this.#a, this.#b, this.#c] = [hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8)];
  }

  /** 32 random bits as a non-negative integer. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#n) | 0;
    this.#n = (this.#n + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** An integer from 0 to below `n`. */
  below(n: number): number {
    return Math.floor((this.bits() / 2 ** 32) * n);
  }

  chance(probability: number): boolean {
    return this.bits() / 2 ** 32 < probability;
  }

  /** One of the items; throws when there is none. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** One of the items, or null when there is none. */
  maybe<T>(items: readonly T[]): T | null {
    return items.length === 0 ? null : this.pick(items);
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.bits() & 0xff);
  }
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Makes UUIDs of version 7: ordered by time, and within one instant by the order in which they were made. */
export function idMaker(random: Random, clock: Clock): () => string {
  let at_ms = -1;
  let count = 0;
  return () => {
    count = clock.now() === at_ms ? count + 1 : 0;
    at_ms = clock.now();
    const time = hex(at_ms, 12);
    const variant = hex(0x8000 | (random.bits() & 0x3fff), 4);
    const tail = hex(random.bits(), 8) + hex(random.bits() & 0xffff, 4);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(count, 3)}-${variant}-${tail}`;
  };
}
