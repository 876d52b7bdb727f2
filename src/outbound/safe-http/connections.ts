// Kept connections, one pool for each checked address of a host. A pool is never shared between names: a certificate was
// checked for one of them. Idle pools are closed soon, so that a connection never outlives the verdict on its address.
import http from 'node:http';
import https from 'node:https';
import type { Target } from './exchange.ts';

/** How long a pool may lie idle. Receivers mostly close after 5 s themselves; being first avoids the race. */
const IDLE_MS = 4_000;

/** Connections to one address at a time; more requests wait their turn within their own deadlines. */
const SOCKETS_MAX = 16;

/** Pools kept; above that, requests travel on connections of their own. */
const POOLS_MAX = 512;

interface Pool {
  readonly agent: http.Agent;
  busy: number;
  idle_since_ms: number;
}

/** Lends out agents by (scheme, host, address, port). */
export class Connections {
  readonly #pools = new Map<string, Pool>();
  #sweep: ReturnType<typeof setTimeout> | undefined;

  /** Runs one exchange on a kept connection, or on a single one when all pools are in use. */
  async lend<T>(target: Target, use: (agent: http.Agent | false) => Promise<T>): Promise<T> {
    const pool = this.#poolFor(target);
    if (!pool) return use(false);
    pool.busy += 1;
    try {
      return await use(pool.agent);
    } finally {
      pool.busy -= 1;
      pool.idle_since_ms = performance.now();
      this.#sweepLater();
    }
  }

  /** Closes everything that is kept. */
  close(): void {
    clearTimeout(this.#sweep);
    this.#sweep = undefined;
    for (const { agent } of this.#pools.values()) agent.destroy();
    this.#pools.clear();
  }

  #poolFor({ secure, host, address, port, sockets = SOCKETS_MAX }: Target): Pool | null {
    const key = `${secure} ${host} ${address} ${port} ${sockets}`;
    const known = this.#pools.get(key);
    if (known) return known;
    if (this.#pools.size >= POOLS_MAX) return null;
    const options = { keepAlive: true, maxSockets: sockets, maxFreeSockets: sockets };
    const agent = secure ? new https.Agent(options) : new http.Agent(options);
    const pool = { agent, busy: 0, idle_since_ms: 0 };
    this.#pools.set(key, pool);
    return pool;
  }

  #sweepLater(): void {
    if (this.#sweep !== undefined) return;
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined;
      const before_ms = performance.now() - IDLE_MS;
      for (const [key, { agent, busy, idle_since_ms }] of this.#pools) {
        if (busy > 0 || idle_since_ms > before_ms) continue;
        agent.destroy();
        this.#pools.delete(key);
      }
      if (this.#pools.size > 0) this.#sweepLater();
    }, IDLE_MS);
    // Nothing waits for it: a process that has nothing else to do may end.
    this.#sweep.unref();
  }
}
