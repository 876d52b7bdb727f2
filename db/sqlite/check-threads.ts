// The threads that check a data folder.
import { join } from 'node:path';
import { CheckThread } from '../check-thread.ts';
import { DATABASE_FILE } from './connection.ts';

export interface CheckThreads {
  readonly ledger: CheckThread<'ledger'>;
  readonly rows: CheckThread<'rows'>;
  readonly file: CheckThread<'file'>;
}

/** Nothing runs before the first check. */
export function checkThreadsOf(data_dir: string): CheckThreads {
  const start = (): Worker => new Worker(new URL('./check-worker.ts', import.meta.url).href, { type: 'module' });
  const where = join(data_dir, DATABASE_FILE);
  return {
    ledger: new CheckThread('ledger', where, start),
    rows: new CheckThread('rows', where, start),
    file: new CheckThread('file', where, start),
  };
}
