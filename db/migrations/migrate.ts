// Applies the migrations that a database lacks, each in a transaction of its own, and remembers them by name.
import type { Database } from 'bun:sqlite';
import own from '../../package.json' with { type: 'json' };
import { SQLITE_MIGRATIONS } from './sqlite.ts';
import { isSliced, type Migration } from './steps.ts';
import { type Applied, refuseUnknown } from './unknown.ts';

/** Brings the database up to date; answers the names of what was applied. Throws `UnknownMigrations` where a newer version
 * was at it. */
export function migrateSqlite(
  db: Database,
  now_ms: number,
  migrations: readonly Migration[] = SQLITE_MIGRATIONS,
): string[] {
  db.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL, release TEXT)');
  const before = db.query('SELECT * FROM migrations').all() as Applied[];
  refuseUnknown(before, migrations);
  const known = new Set(before.map(({ name }) => name));
  const applied: string[] = [];
  for (const migration of migrations) {
    if (known.has(migration.name)) continue;
    db.transaction(() => {
      for (const statement of migration.statements) {
        // A sliced statement changes some rows at a time; no other process waits here, so it is repeated until none is left.
        while (db.run(statement).changes > 0 && isSliced(statement));
      }
      const row = [migration.name, now_ms, own.version];
      db.run('INSERT INTO migrations (name, applied_at, release) VALUES (?, ?, ?)', row);
    })();
    applied.push(migration.name);
  }
  return applied;
}
