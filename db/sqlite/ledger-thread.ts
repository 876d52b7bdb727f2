// The thread that proves the ledger of a data folder.
import { join } from 'node:path';
import { LedgerThread } from '../ledger-check/thread.ts';
import { DATABASE_FILE } from './connection.ts';

/** Nothing runs before the first check. */
export function ledgerThreadOf(data_dir: string): LedgerThread {
  const start = (): Worker => new Worker(new URL('./ledger-worker.ts', import.meta.url).href, { type: 'module' });
  return new LedgerThread(join(data_dir, DATABASE_FILE), start);
}
