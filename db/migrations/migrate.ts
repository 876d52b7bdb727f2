// Applies the migrations that a database lacks, each in a transaction of its own, and remembers them by name.
import type { Database } from 'bun:sqlite';
import { SQLITE_MIGRATIONS } from './sqlite.ts';
import { isSliced, type Migration } from './steps.ts';
import { refuseUnknown } from './unknown.ts';

/** Brings the database up to date; answers the names of what was applied. Throws `UnknownMigrations` where a newer version
 * was at it. */
export function migrateSqlite(
  db: Database,
  now_ms: number,
  migrations: readonly Migration[] = SQLITE_MIGRATIONS,
): string[] {
  db.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)');
  const known = new Set((db.query('SELECT name FROM migrations').all() as { name: string }[]).map((row) => row.name));
  refuseUnknown(known, migrations);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (known.has(migration.name)) continue;
    db.transaction(() => {
      for (const statement of migration.statements) {
        // A sliced statement changes some rows at a time; no other process waits here, so it is repeated until none is left.
        while (db.run(statement).changes > 0 && isSliced(statement));
      }
      db.run('INSERT INTO migrations (name, applied_at) VALUES (?, ?)', [migration.name, now_ms]);
    })();
    applied.push(migration.name);
  }
  return applied;
}
