// The thread that proves the ledger: a connection of its own, and one transaction that only reads and sees one moment. A thread,
// since what it reads of history is hashed here.
import { SQL } from 'bun';
import { checkLedger } from '../ledger-check/check.ts';
import type { Snapshot, Stored } from '../ledger-check/snapshot.ts';
import type { CheckAnswered, CheckAsked } from '../ledger-check/thread.ts';

declare const self: Worker;

const BITE = 2_000;

function snapshotOf(connection: Pick<SQL, 'unsafe'>): Snapshot {
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

async function check({ where, now_ms }: CheckAsked): Promise<CheckAnswered> {
  const sql = new SQL({
    url: where,
    max: 1,
    connectionTimeout: 10,
    connection: { application_name: 'meshwork-check' },
  });
  try {
    const how = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
    return { checked: await sql.begin(how, (connection) => checkLedger(snapshotOf(connection), now_ms)) };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  } finally {
    await sql.close({ timeout: 1 });
  }
}

self.onmessage = ({ data }: MessageEvent<CheckAsked>): void => {
  void check(data).then((answer) => self.postMessage(answer));
};
