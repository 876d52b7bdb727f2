// The thread that checks the database: a connection of its own, and one transaction that only reads and sees one moment. A thread,
// since what it reads of history is hashed here.
import { SQL } from 'bun';
import type { CheckAnswered, CheckAsked } from '../check-thread.ts';
import { checkLedger } from '../ledger-check/check.ts';
import type { LedgerChecked } from '../ledger-check/problems.ts';
import type { Snapshot } from '../ledger-check/snapshot.ts';
import { checkRows, type RowsChecked } from '../row-check/check.ts';
import { snapshotOf } from './snapshot.ts';

declare const self: Worker;

async function answer({ check, where, now_ms }: CheckAsked): Promise<CheckAnswered> {
  const sql = new SQL({
    url: where,
    max: 1,
    connectionTimeout: 10,
    connection: { application_name: 'meshwork-check' },
  });
  try {
    const how = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
    const look = (snapshot: Snapshot): Promise<LedgerChecked | RowsChecked> =>
      check === 'ledger' ? checkLedger(snapshot, now_ms) : checkRows(snapshot, now_ms);
    return { checked: await sql.begin(how, (connection) => look(snapshotOf(connection))) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  } finally {
    await sql.close({ timeout: 1 });
  }
}

self.onmessage = ({ data }: MessageEvent<CheckAsked>): void => {
  void answer(data).then((answered) => self.postMessage(answered));
};
