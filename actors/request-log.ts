// The last requests of each API key and each connected program, for their person. They are only in the memory of this process, with a
// limit for all together.
import { DAY_MS } from '../src/domain/time.ts';

/** Of one key or program. */
const KEY_MAX = 200;
/** Of all keys: some 10 MB. The key that was used longest ago loses its own first. */
const ALL_MAX = 50_000;
const PATH_MAX = 200;

export interface LoggedRequest {
  readonly request_id: string;
  /** When it was answered, or refused. */
  readonly at_ms: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly duration_ms: number;
}

export class RequestLog {
  /** The key that was used longest ago first. */
  readonly #of = new Map<string, LoggedRequest[]>();
  #count = 0;

  note(key_id: string, request: LoggedRequest): void {
    const own = this.#of.get(key_id) ?? [];
    this.#of.delete(key_id);
    this.#of.set(key_id, own);
    own.push({ ...request, path: request.path.slice(0, PATH_MAX) });
    this.#count += 1;
    // Many at a time, so that the rest is seldom moved.
    if (own.length >= 2 * KEY_MAX) this.#count -= own.splice(0, KEY_MAX).length;
    if (this.#count > ALL_MAX) this.#dropOldest();
  }

  #dropOldest(): void {
    for (const [key_id, own] of this.#of) {
      if (this.#count <= ALL_MAX) return;
      this.#of.delete(key_id);
      this.#count -= own.length;
    }
  }

  /** Those of a key within 24 hours, the newest first. */
  of(key_id: string, now_ms: number): readonly LoggedRequest[] {
    const own = this.#of.get(key_id) ?? [];
    return own
      .slice(-KEY_MAX)
      .filter(({ at_ms }) => now_ms - at_ms < DAY_MS)
      .reverse();
  }
}
