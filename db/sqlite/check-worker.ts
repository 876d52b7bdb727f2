// The thread that checks the database: opens the given file read-only, and checks one snapshot of it.
import { Database } from 'bun:sqlite';
import type { CheckAnswered, CheckAsked, FileChecked } from '../check-thread.ts';
import { checkLedger } from '../ledger-check/check.ts';
import { checkRows } from '../row-check/check.ts';
import { storeCodeOf } from '../unavailable.ts';
import { INDEX_RULES } from './index-rules.ts';
import { snapshotOf } from './snapshot.ts';

declare const self: Worker;

const FILE_PROBLEMS_MAX = 20;
/** SQLite's error codes for a file that is too damaged to read. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;

/** Reads every page: a destroyed one is found wherever it lies. */
function checkFile(db: Database): FileChecked {
  const told = db.query(`PRAGMA integrity_check(${FILE_PROBLEMS_MAX})`).all() as { integrity_check: string }[];
  const problems = told.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok');
  return { ok: problems.length === 0, problems };
}

async function look(db: Database, { check, now_ms }: CheckAsked): Promise<CheckAnswered> {
  db.run('PRAGMA busy_timeout = 5000');
  db.run('PRAGMA mmap_size = 1073741824');
  db.run('PRAGMA cache_size = -131072');
  db.run('PRAGMA temp_store = MEMORY');
  db.run('BEGIN');
  if (check === 'file') return { checked: checkFile(db) };
  const snapshot = snapshotOf(db);
  return {
    checked: await (check === 'ledger' ? checkLedger(snapshot, now_ms) : checkRows(snapshot, now_ms, INDEX_RULES)),
  };
}

async function answer(asked: CheckAsked): Promise<CheckAnswered> {
  let db: Database | undefined;
  try {
    db = new Database(asked.where, { readonly: true });
    return await look(db, asked);
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    const damaged = asked.check === 'file' && DAMAGED.test(storeCodeOf(error));
    return damaged ? { checked: { ok: false, problems: [failed] } } : { failed };
  } finally {
    db?.close();
  }
}

self.onmessage = ({ data }: MessageEvent<CheckAsked>): void => {
  void answer(data).then((answered) => self.postMessage(answered));
};
