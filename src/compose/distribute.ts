// Distributes a database over the workers of Citus.
import { distribute } from '../../db/postgres/distribute.ts';

/** Tells each table that it distributed. Throws where there is no Citus, or a node serves. */
export function distributeDatabase(url: string, say: (line: string) => void): Promise<void> {
  return distribute(url, say);
}
