// How many handles of three characters are left. Counted at most once a minute, and in slices, so that the count of a large
// network does not delay other requests.
import type { Clock } from '../../../actors/clock.ts';
import { shortHandlesHeld } from '../../../db/queries/handle.ts';
import type { Read } from '../../../db/store.ts';
import { HANDLE_CHARS, shortHandlesLeft } from '../../domain/identity/handle.ts';

const LIFE_MS = 60_000;
/** The character after each in the engines' order. */
const after = (char: string): string => String.fromCharCode(char.charCodeAt(0) + 1);

export class ShortHandles {
  readonly #read: Read;
  readonly #clock: Clock;
  readonly #platform_handle: string;
  #counted: { readonly at: number; readonly left: Promise<number> } | null = null;

  constructor(read: Read, clock: Clock, platform_handle: string) {
    this.#read = read;
    this.#clock = clock;
    this.#platform_handle = platform_handle;
  }

  /** The figure, at most a minute old. */
  left(): Promise<number> {
    const now_ms = this.#clock.now();
    if (this.#counted && now_ms - this.#counted.at < LIFE_MS) return this.#counted.left;
    const left = this.#count(now_ms);
    this.#counted = { at: now_ms, left };
    left.catch(() => {
      this.#counted = null;
    });
    return left;
  }

  async #count(now_ms: number): Promise<number> {
    let held = 0;
    for (const from of HANDLE_CHARS) {
      held += (await this.#read(shortHandlesHeld, { from, to: after(from), now_ms }))?.n ?? 0;
      // Reads of the embedded store never leave the thread; let other requests run between two slices.
      await new Promise(setImmediate);
    }
    return shortHandlesLeft(held, this.#platform_handle);
  }
}
