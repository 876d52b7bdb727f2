// What a node does to the database before it serves. It may take minutes, or wait for another node that is at it; a
// database that does not even answer is told at once.
import { migratePostgres } from '../migrations/migrate-postgres.ts';
import { Pool } from './pool.ts';
import { LONG_PATIENCE, Silence } from './silence.ts';

async function withPatience<T>(url: string, pool: Pool, work: (patient: Pool) => Promise<T>): Promise<T> {
  await pool.unsafe('SELECT 1');
  // One connection holds the lock, another goes the steps.
  const patient = new Pool(url, { max: 2, silence: new Silence(LONG_PATIENCE) });
  try {
    return await work(patient);
  } finally {
    await patient.close();
  }
}

/** Applies the migrations that the database of a pool lacks. */
export async function bringUpToDate(url: string, pool: Pool, now_ms: number): Promise<void> {
  await withPatience(url, pool, (patient) => migratePostgres(patient, now_ms));
}
