// Applies the migrations that a database lacks, each in a transaction of its own, and remembers them by name.
import type { Database } from 'bun:sqlite';
import { SQLITE_MIGRATIONS } from './sqlite.ts';

/** Brings the database up to date; answers the names of what was applied. */
export function migrateSqlite(db: Database, now_ms: number): string[] {
  db.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)');
  const known = new Set((db.query('SELECT name FROM migrations').all() as { name: string }[]).map((row) => row.name));
  const applied: string[] = [];
  for (const migration of SQLITE_MIGRATIONS) {
    if (known.has(migration.name)) continue;
    db.transaction(() => {
      for (const statement of migration.statements) db.run(statement);
      db.run('INSERT INTO migrations (name, applied_at) VALUES (?, ?)', [migration.name, now_ms]);
    })();
    applied.push(migration.name);
  }
  return applied;
}
