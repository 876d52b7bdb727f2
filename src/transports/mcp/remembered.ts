// The state that clients of the revisions with sessions expect to be kept: their subscriptions, and their log level. There are no
// sessions here, so it is kept per caller, only on this node, and may be evicted: a client sends it again with its next
// connection.

/** Callers that are remembered; one takes some 500 bytes. */
const CALLERS_MAX = 20_000;
/** One subscribes to its inbox and some conversations. */
const URIS_MAX = 100;

/** From the least to the most severe (RFC 5424, as MCP names them). */
export const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type Level = (typeof LEVELS)[number];

export function isLevel(text: unknown): text is Level {
  return LEVELS.some((level) => level === text);
}

/** Whether `level` is at or above the client's level `least`. */
export function isTold(level: Level, least: Level | null): boolean {
  return least !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

interface Said {
  readonly uris: Set<string>;
  level: Level | null;
}

export class Remembered {
  /** Callers in the order of their last request. */
  readonly #said = new Map<string, Said>();

  #of(caller: string): Said {
    const said = this.#said.get(caller) ?? { uris: new Set(), level: null };
    this.#said.delete(caller);
    this.#said.set(caller, said);
    const [oldest] = this.#said.keys();
    if (this.#said.size > CALLERS_MAX && oldest !== undefined) this.#said.delete(oldest);
    return said;
  }

  /** False where the caller has as many subscriptions as one may have. */
  subscribe(caller: string, uri: string): boolean {
    const { uris } = this.#of(caller);
    if (!uris.has(uri) && uris.size >= URIS_MAX) return false;
    uris.add(uri);
    return true;
  }

  unsubscribe(caller: string, uri: string): void {
    this.#said.get(caller)?.uris.delete(uri);
  }

  isSubscribed(caller: string, uri: string): boolean {
    return this.#said.get(caller)?.uris.has(uri) ?? false;
  }

  setLevel(caller: string, level: Level): void {
    this.#of(caller).level = level;
  }

  /** Null for a caller that set none. */
  levelOf(caller: string): Level | null {
    return this.#said.get(caller)?.level ?? null;
  }
}
