// A snapshot of a PostgreSQL database, for checks of all of it.
import type { SQL } from 'bun';
import type { Snapshot, Stored } from '../ledger-check/snapshot.ts';

const BITE = 2_000;

/** Of a connection in a transaction that sees one moment. */
export function snapshotOf(connection: Pick<SQL, 'unsafe'>): Snapshot {
  const rows = async (sql: string): Promise<Stored[]> => await connection.unsafe(sql);
  return {
    rows,
    bites: async function* (sql) {
      await rows(`DECLARE history NO SCROLL CURSOR FOR ${sql}`);
      for (;;) {
        const bite = await rows(`FETCH ${BITE} FROM history`);
        yield bite;
        if (bite.length < BITE) break;
      }
      await rows('CLOSE history');
    },
  };
}
