// The threads that check a database on PostgreSQL.
import { CheckThread } from '../check-thread.ts';

export interface PostgresThreads {
  readonly ledger: CheckThread<'ledger'>;
  readonly rows: CheckThread<'rows'>;
}

/** Nothing runs before the first check. */
export function postgresThreadsOf(url: string): PostgresThreads {
  const start = (): Worker =>
    new Worker(new URL('./postgres-check-worker.ts', import.meta.url).href, { type: 'module' });
  return { ledger: new CheckThread('ledger', url, start), rows: new CheckThread('rows', url, start) };
}
