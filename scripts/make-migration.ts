// Turns a change of db/schema into a migration: drizzle-kit writes the SQL under db/migrations/sqlite, and all of it is
// packed into db/migrations/sqlite.ts, so that the single binary carries its migrations. Usage: bun scripts/make-migration.ts NAME
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const name = process.argv[2];
if (!name) {
  console.error('usage: bun scripts/make-migration.ts NAME (what changes, as in add_blocks)');
  process.exit(2);
}
const kit = Bun.spawnSync(
  [
    'bunx',
    'drizzle-kit',
    'generate',
    '--dialect',
    'sqlite',
    '--schema',
    'db/schema/sqlite-tables.ts',
    '--out',
    'db/migrations/sqlite',
    '--name',
    name,
  ],
  { stdout: 'inherit', stderr: 'inherit' },
);
if (kit.exitCode !== 0) process.exit(kit.exitCode);

const migrations = readdirSync('db/migrations/sqlite')
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => ({
    name: file.replace(/\.sql$/, ''),
    statements: readFileSync(`db/migrations/sqlite/${file}`, 'utf8')
      .split('--> statement-breakpoint')
      .map((statement) => statement.trim())
      .filter(Boolean),
  }));
writeFileSync(
  'db/migrations/sqlite.ts',
  `// Made by scripts/make-migration.ts from db/migrations/sqlite; never edited by hand.
export const SQLITE_MIGRATIONS: readonly { readonly name: string; readonly statements: readonly string[] }[] = ${JSON.stringify(migrations, null, 2)};
`,
);
