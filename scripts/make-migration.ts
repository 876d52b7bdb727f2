// Turns a change of db/schema into migrations for both engines: drizzle-kit writes the SQL under db/migrations/<engine>,
// and all of it is packed into db/migrations/<engine>.ts, so that the single binary carries its migrations. Drizzle knows no tables in
// parts: PostgreSQL's are parted here.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PARTED, PARTS } from '../db/schema/keys.ts';
import release from '../package.json' with { type: 'json' };

const name = process.argv[2] ?? '';

const KIT = 'node_modules/drizzle-kit/bin.cjs';

type Engine = 'sqlite' | 'postgres';

function generate(engine: Engine, dialect: string, schema: string, migration: string): void {
  const out = `db/migrations/${engine}`;
  const options = ['--dialect', dialect, '--schema', schema, '--out', out, '--name', migration];
  const kit = Bun.spawnSync([process.execPath, KIT, 'generate', ...options], { stdout: 'inherit', stderr: 'inherit' });
  if (kit.exitCode !== 0) process.exit(kit.exitCode);
}

const filesOf = (engine: Engine): string[] =>
  readdirSync(`db/migrations/${engine}`)
    .filter((file) => file.endsWith('.sql'))
    .sort();

const BREAK = '--> statement-breakpoint';

/** The statement that makes a table, followed by those that make its parts; one that was parted before stays as it is. */
function parted(made: string, table: string): string {
  const parts = Array.from({ length: PARTS }, (_, part) => {
    const values = `FOR VALUES WITH (MODULUS ${PARTS}, REMAINDER ${part})`;
    return `CREATE TABLE "${table}_${part}" PARTITION OF "${table}" ${values};`;
  });
  return [made.replace(/\);$/, `) PARTITION BY HASH ("${PARTED[table]}");`), ...parts].join(`${BREAK}\n`);
}

function part(): void {
  for (const file of filesOf('postgres')) {
    const path = `db/migrations/postgres/${file}`;
    const text = readFileSync(path, 'utf8');
    const found = Object.keys(PARTED).reduce((sql, table) => {
      return sql.replace(new RegExp(`^CREATE TABLE "${table}" \\([^;]*\\n\\);$`, 'm'), (made) => parted(made, table));
    }, text);
    if (found !== text) writeFileSync(path, found);
  }
}

/** Begins the first line of a migration, which names the oldest release that can serve beside it. */
const OLDEST = '-- oldest release beside it: ';

/** Puts that line into new migrations: this release, until somebody who looked at it names an older one. */
function nameOldest(engine: Engine): void {
  for (const file of filesOf(engine)) {
    const path = `db/migrations/${engine}/${file}`;
    const text = readFileSync(path, 'utf8');
    if (!text.startsWith(OLDEST)) writeFileSync(path, `${OLDEST}${release.version}\n${text}`);
  }
}

/** A part of the name by which a database remembers a migration: one that was changed before its release is another one. */
function fingerprint(statements: readonly string[]): string {
  return Bun.hash.crc32(JSON.stringify(statements)).toString(16).padStart(8, '0');
}

function pack(engine: Engine): void {
  const folder = `db/migrations/${engine}`;
  const migrations = filesOf(engine).map((file) => {
    const [first = '', ...rest] = readFileSync(`${folder}/${file}`, 'utf8').split('\n');
    const statements = rest
      .join('\n')
      .split(BREAK)
      .map((statement) => statement.trim())
      .filter(Boolean);
    const oldest = first.slice(OLDEST.length).trim();
    return { name: `${file.replace(/\.sql$/, '')}-${fingerprint(statements)}`, oldest, statements };
  });
  writeFileSync(
    `${folder}.ts`,
    `// Made by scripts/make-migration.ts from ${folder}; never edited by hand.
import type { Migration } from './steps.ts';

export const ${engine.toUpperCase()}_MIGRATIONS: readonly Migration[] = [
${migrations.map((each) => `  ${JSON.stringify(each)},`).join('\n')}
];
`,
  );
}

generate('sqlite', 'sqlite', 'db/schema/sqlite-tables.ts', name);
nameOldest('sqlite');
pack('sqlite');
generate('postgres', 'postgresql', 'db/schema/postgres-tables.ts', name);
part();
nameOldest('postgres');
pack('postgres');
