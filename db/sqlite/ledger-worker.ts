// The thread that proves the ledger: opens the file it is told for reading, and looks at one snapshot of it.
import { Database } from 'bun:sqlite';
import { checkLedger } from '../ledger-check/check.ts';
import type { CheckAnswered, CheckAsked } from '../ledger-check/thread.ts';
import { snapshotOf } from './snapshot.ts';

declare const self: Worker;

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
