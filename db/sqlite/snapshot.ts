// A snapshot of an embedded database, for checks of all of it.
import type { Database } from 'bun:sqlite';
import type { Snapshot, Stored } from '../ledger-check/snapshot.ts';

const BITE = 2_000;

/** Of a connection in a transaction of its own. */
export function snapshotOf(db: Database): Snapshot {
  return {
    rows: async (sql) => db.query(sql).all() as Stored[],
    bites: async function* (sql) {
      let bite: Stored[] = [];
      for (const row of db.query(sql).iterate()) {
        // A row without a type of its own: an object by columns.
        if (bite.push(row as Stored) < BITE) continue;
        yield bite;
        bite = [];
      }
      yield bite;
    },
  };
}
