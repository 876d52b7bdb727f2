// Turns a change of db/schema into migrations for both engines: drizzle-kit writes the SQL under db/migrations/<engine>,
// and all of it is packed into db/migrations/<engine>.ts, so that the single binary carries its migrations.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const name = process.argv[2] ?? '';

const KIT = 'node_modules/drizzle-kit/bin.cjs';

type Engine = 'sqlite' | 'postgres';

function generate(engine: Engine, dialect: string, schema: string, migration: string): void {
  const out = `db/migrations/${engine}`;
  const options = ['--dialect', dialect, '--schema', schema, '--out', out, '--name', migration];
  const kit = Bun.spawnSync([process.execPath, KIT, 'generate', ...options], { stdout: 'inherit', stderr: 'inherit' });
  if (kit.exitCode !== 0) process.exit(kit.exitCode);
}

function pack(engine: Engine): void {
  const folder = `db/migrations/${engine}`;
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: file.replace(/\.sql$/, ''),
      statements: readFileSync(`${folder}/${file}`, 'utf8')
        .split('--> statement-breakpoint')
        .map((statement) => statement.trim())
        .filter(Boolean),
    }));
  writeFileSync(
    `${folder}.ts`,
    `// Made by scripts/make-migration.ts from ${folder}; never edited by hand.
export const ${engine.toUpperCase()}_MIGRATIONS: readonly { readonly name: string; readonly statements: readonly string[] }[] = [
${migrations.map((each) => `  ${JSON.stringify(each)},`).join('\n')}
];
`,
  );
}

generate('sqlite', 'sqlite', 'db/schema/sqlite-tables.ts', name);
pack('sqlite');
generate('postgres', 'postgresql', 'db/schema/postgres-tables.ts', name);
pack('postgres');
