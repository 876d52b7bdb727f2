// How nodes tell each other of the requests that they let through: each writes its own rows and adds up those of the
// others, so that none waits for another's lock. No money hangs on it, and a count that comes late only lets a few pass.
import type { RateState } from '../../src/domain/identity/rate.ts';
import { type RateCount, type SharedRates, STRETCH_SECONDS } from '../store.ts';
import type { Pool } from './pool.ts';
import { literal } from './shapes.ts';
import { Silent } from './silence.ts';

/** A row counts for the minute after its stretch. */
const KEPT_MS = (60 + STRETCH_SECONDS) * 1000;

/** The rows are written even though nothing reads them here: a statement that only others see is still run. */
const EXCHANGE = `WITH own AS
  (INSERT INTO rates (caller, at, node, n, expires_at)
   SELECT caller, at, $4, n, (at * 1000) + ${KEPT_MS} FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS new(caller, at, n)
   ON CONFLICT (caller, at, node) DO UPDATE SET n = greatest(rates.n, excluded.n))
SELECT caller, at, sum(n) AS n FROM rates
WHERE caller = ANY($1::text[]) AND node <> $4 AND at > $5::bigint GROUP BY caller, at ORDER BY at`;

export function ratesOf(pool: Pool, node: string): SharedRates {
  return {
    exchange: async (own, now_ms) => {
      // Rates stand in nobody's way where the database does not answer, not even for the time that asking takes.
      if (pool.silent) throw new Silent();
      // In one order, so that two exchanges of this node do not wait for each other.
      const counts = [...own].sort((a, b) => (a.caller < b.caller ? -1 : a.caller > b.caller ? 1 : a.at - b.at));
      const column = (of: (count: RateCount) => string | number): string => literal(counts.map(of));
      const since = Math.floor(now_ms / 1000) - 60 - STRETCH_SECONDS;
      const columns = [column(({ caller }) => caller), column(({ at }) => at), column(({ n }) => n)];
      const rows = await pool.unsafe(EXCHANGE, [...columns, node, since]);
      const elsewhere = new Map<string, RateState>();
      for (const { caller, at, n } of rows) {
        const name = String(caller);
        // Nobody knows when in its stretch a request came, so all of them count for as long as the last may.
        const slot = { second: Number(at) + STRETCH_SECONDS - 1, count: Number(n) };
        elsewhere.set(name, [...(elsewhere.get(name) ?? []), slot]);
      }
      return elsewhere;
    },
  };
}
