// The migrations that a start with these settings would apply.
import { join } from 'node:path';
import { type Pending, pendingInFile, pendingOnPostgres } from '../../db/migrations/pending.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import type { Config } from '../config.ts';

/** It only reads. */
export async function pendingMigrations({ dataDir, databaseUrl }: Config): Promise<Pending[]> {
  if (databaseUrl !== undefined) return pendingOnPostgres(databaseUrl);
  return pendingInFile(join(dataDir, DATABASE_FILE));
}
