// Prepares the database before a node serves. It may take long, or wait for another node that does the same.
import { migratePostgres } from '../migrations/migrate-postgres.ts';
import { POSTGRES_MIGRATIONS } from '../migrations/postgres.ts';
import type { Server } from './connection.ts';
import { Pool } from './pool.ts';
import { LONG_PATIENCE, Silence } from './silence.ts';

/** Applies the missing migrations of a database. Throws `OlderNodes` when older nodes run, unless allowed. */
export async function bringUpToDate(server: Server, now_ms: number, while_older_nodes_run = false): Promise<void> {
  // One connection holds the lock, another goes the steps.
  const patient = new Pool(server, { max: 2, silence: new Silence(LONG_PATIENCE) });
  try {
    await migratePostgres(patient, now_ms, POSTGRES_MIGRATIONS, while_older_nodes_run);
  } finally {
    await patient.close();
  }
}
