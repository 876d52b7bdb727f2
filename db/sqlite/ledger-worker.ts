// The thread that proves the ledger: opens the file it is told for reading, and looks at one snapshot of it.
import { Database } from 'bun:sqlite';
import { checkLedger } from '../ledger-check/check.ts';
import type { Snapshot, Stored } from '../ledger-check/snapshot.ts';
import type { CheckAnswered, CheckAsked } from '../ledger-check/thread.ts';

declare const self: Worker;

const BITE = 2_000;

function snapshotOf(db: Database): Snapshot {
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

async function check({ where, now_ms }: CheckAsked): Promise<CheckAnswered> {
  const db = new Database(where, { readonly: true });
  try {
    db.run('PRAGMA busy_timeout = 5000');
    db.run('PRAGMA mmap_size = 1073741824');
    db.run('PRAGMA cache_size = -131072');
    db.run('PRAGMA temp_store = MEMORY');
    db.run('BEGIN');
    return { checked: await checkLedger(snapshotOf(db), now_ms) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  } finally {
    db.close();
  }
}

self.onmessage = ({ data }: MessageEvent<CheckAsked>): void => {
  void check(data).then((answer) => self.postMessage(answer));
};
