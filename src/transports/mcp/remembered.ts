// What a client of the revisions with sessions once said and expects to be kept: which resources it subscribed to, and from
// which level on it is told of what happens. This door has no sessions, so it is kept for each caller, on this node alone, and
// not for ever: a client whose words were forgotten says them again when it opens its next connection.

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

/** Whether what happens on `level` is told to one who asked for `least` and above. */
export function isTold(level: Level, least: Level | null): boolean {
  return least !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

interface Said {
  readonly uris: Set<string>;
  level: Level | null;
}

export class Remembered {
  /** Those who spoke last stand at the end. */
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

  /** Null for a caller who never asked to be told. */
  levelOf(caller: string): Level | null {
    return this.#said.get(caller)?.level ?? null;
  }
}
