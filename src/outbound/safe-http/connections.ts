// Keep-alive connections, one pool for each checked address of a host. A pool is never shared between names, because a
// certificate was verified for one of them. Idle pools are closed soon, so that a connection never outlives the verdict on
// its address.
import { Connection, type Target } from './connection.ts';

/** How long a pool may lie idle. Receivers mostly close after 5 s themselves; being first avoids the race. */
const IDLE_MS = 4_000;

/** Connections to one address at a time; more requests wait their turn within their own deadlines. */
const SOCKETS_MAX = 16;

/** Pools kept; above that, requests travel on connections of their own. */
const POOLS_MAX = 512;

class Pool {
  idle_since_ms = 0;
  readonly #target: Target;
  readonly #busy = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<(connection: Connection) => void>();
  #is_closed = false;

  constructor(target: Target) {
    this.#target = target;
  }

  get isIdle(): boolean {
    return this.#busy.size === 0;
  }

  /** A connection, once one may be used; null when the signal aborts before. */
  take(signal: AbortSignal): Connection | Promise<Connection | null> {
    const { sockets = SOCKETS_MAX } = this.#target;
    if (this.#busy.size < sockets) return this.#next();
    const { promise, resolve } = Promise.withResolvers<Connection | null>();
    const giveUp = (): void => {
      this.#waiting.delete(call);
      resolve(null);
    };
    const call = (connection: Connection): void => {
      signal.removeEventListener('abort', giveUp);
      resolve(connection);
    };
    this.#waiting.add(call);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    return promise;
  }

  giveBack(connection: Connection): void {
    this.#busy.delete(connection);
    if (this.#is_closed) connection.close();
    else if (!connection.isOver) this.#idle.push(connection);
    this.idle_since_ms = performance.now();
    const [call] = this.#waiting;
    if (!call) return;
    this.#waiting.delete(call);
    call(this.#next());
  }

  close(): void {
    this.#is_closed = true;
    for (const connection of [...this.#idle, ...this.#busy]) connection.close();
  }

  /** The connection used last that is still open, else a new one: others may be closed by now. */
  #next(): Connection {
    let connection = this.#idle.pop();
    while (connection?.isOver) connection = this.#idle.pop();
    connection ??= new Connection(this.#target);
    this.#busy.add(connection);
    return connection;
  }
}

/** Lends connections by (scheme, host, address, port). */
export class Connections {
  readonly #pools = new Map<string, Pool>();
  #sweep: ReturnType<typeof setTimeout> | undefined;

  /** Runs one exchange on a pooled connection, or on a single one when all pools are in use; null when the signal aborts before one
   * may be used. */
  async lend<T>(target: Target, signal: AbortSignal, use: (connection: Connection) => Promise<T>): Promise<T | null> {
    const pool = this.#poolFor(target);
    if (!pool) return useOnce(new Connection(target), use);
    const connection = await pool.take(signal);
    if (!connection) return null;
    try {
      return await use(connection);
    } finally {
      pool.giveBack(connection);
      this.#sweepLater();
    }
  }

  /** Closes all pools. */
  close(): void {
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
  }

  #poolFor(target: Target): Pool | null {
    const { secure, host, address, port, sockets } = target;
    const key = `${secure} ${host} ${address} ${port} ${sockets}`;
    const known = this.#pools.get(key);
    if (known) return known;
    if (this.#pools.size >= POOLS_MAX) return null;
    const pool = new Pool(target);
    this.#pools.set(key, pool);
    return pool;
  }

  #sweepLater(): void {
    if (this.#sweep !== undefined) return;
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined;
      const before_ms = performance.now() - IDLE_MS;
      for (const [key, pool] of this.#pools) {
        if (!pool.isIdle || pool.idle_since_ms > before_ms) continue;
        pool.close();
        this.#pools.delete(key);
      }
      if (this.#pools.size > 0) this.#sweepLater();
    }, IDLE_MS);
    // The timer must not keep the process alive.
    this.#sweep.unref();
  }
}

/** Runs one exchange on a connection that is closed after it. */
export async function useOnce<T>(connection: Connection, use: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}
