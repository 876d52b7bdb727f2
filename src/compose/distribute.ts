// Distributes the database of these settings over the workers of Citus.
import { distribute } from '../../db/postgres/distribute.ts';
import type { Config } from '../config.ts';

/** Tells each table that it distributed. Throws where there is no Citus, or a node serves. */
export function distributeDatabase(
  { databaseUrl, databaseDirectUrl }: Config,
  say: (line: string) => void,
): Promise<void> {
  const url = databaseDirectUrl ?? databaseUrl;
  if (url === undefined) throw new Error('DATABASE_URL is not set: only PostgreSQL with Citus is distributed');
  return distribute(url, say);
}
