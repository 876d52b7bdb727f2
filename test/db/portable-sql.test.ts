// The clustered adapter asks for no more than YugabyteDB's PostgreSQL 15 wire gives: what that refuses, or gives without
// the promise that we would build on, stands in none of our SQL. The rule is first shown to catch each of them.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPool } from '../../db/postgres/connection.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import type { CommitNotice } from '../../db/store.ts';
import { sharedPostgres } from '../support/postgres.ts';

const ROOT = join(import.meta.dir, '../..');

/** What may not stand in SQL, with a sample of it. NOTIFY may, in the files that do without it where they must, and a table lock in what
 * runs on Citus alone. */
const REFUSED: readonly (readonly [what: string, pattern: RegExp, sample: string])[] = [
  ['advisory locks', /\bpg_(try_)?advisory_/i, 'SELECT pg_advisory_xact_lock(1)'],
  ['table locks', /\bLOCK\s+TABLE\b|\bIN\s+(ACCESS|ROW|SHARE)\s.*MODE\b/i, 'LOCK TABLE agents'],
  ['SERIALIZABLE', /\bSERIALIZABLE\b/i, 'BEGIN ISOLATION LEVEL SERIALIZABLE'],
  ['system columns', /\b(xmin|xmax|cmin|cmax|ctid|tableoid)\b/i, 'SELECT xmin FROM agents'],
  [
    'what asks for a superuser',
    /\bCREATE\s+(EXTENSION|ROLE|LANGUAGE|CAST)\b|\bALTER\s+(SYSTEM|ROLE)\b/i,
    'ALTER SYSTEM',
  ],
  ['COPY', /\bCOPY\s+"?\w+"?\s*(\([^)]*\)\s*)?(FROM|TO)\b/i, 'COPY agents (id) FROM STDIN'],
  [
    'replication',
    /\b(CREATE\s+(PUBLICATION|SUBSCRIPTION)|pg_logical_|pg_replication_|pg_(current|last)_wal_)/i,
    'CREATE PUBLICATION p',
  ],
  ['unlogged and temporary tables', /\b(UNLOGGED|TEMP(ORARY)?)\s+TABLE\b/i, 'CREATE TEMP TABLE t'],
  [
    'kinds of index that it has not',
    /\bUSING\s+(gist|spgist|brin|hash)\b|\bEXCLUDE\s+(USING|\()/i,
    'USING gist (place)',
  ],
  [
    'cursors that outlive a transaction, two phases',
    /\bWITH\s+HOLD\b|\bPREPARE\s+TRANSACTION\b/i,
    'PREPARE TRANSACTION x',
  ],
  ['triggers and rules', /\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?(TRIGGER|RULE)\b/i, 'CREATE TRIGGER t'],
  ['NOTIFY', /\bpg_notify\b|\bNOTIFY\s+\w+,|`NOTIFY|'NOTIFY/i, 'SELECT pg_notify($1, $2)'],
  ['foreign keys, which lock what they name', /\bREFERENCES\s+"?\w+"?\s*\(/i, 'REFERENCES "agents"("id")'],
];
const MAY: Readonly<Record<string, readonly string[]>> = {
  NOTIFY: ['db/postgres/notices.ts', 'db/postgres/commit-follower.ts', 'db/postgres/listening.ts'],
  'table locks': ['db/postgres/distribute.ts'],
};

/** Comments say what is not done; only the rest is looked at. */
const bare = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|^--.*$/gm, '');

function sources(): string[] {
  const all = readdirSync(join(ROOT, 'db'), { recursive: true, encoding: 'utf8' });
  return all.map((name) => `db/${name}`).filter((path) => /\.(ts|sql)$/.test(path) && !path.includes('sqlite'));
}

test.each(REFUSED)('%s would be found', (_what, pattern, sample) => {
  expect(sample).toMatch(pattern);
});

test('nothing stands in our SQL that YugabyteDB refuses', () => {
  const paths = sources();
  expect(paths).toContain('db/postgres/claims.ts');
  expect(paths).toContain('db/migrations/postgres.ts');
  const found = paths.flatMap((path) => {
    const text = bare(readFileSync(join(ROOT, path), 'utf8'));
    return REFUSED.filter(([what, pattern]) => pattern.test(text) && !MAY[what]?.includes(path)).map(
      ([what]) => `${path}: ${what}`,
    );
  });
  expect(found).toEqual([]);
});

const server = await sharedPostgres();

test.skipIf(server === null)('without NOTIFY nodes still follow each other, by looking', async () => {
  const url = (await server?.migrated()) ?? '';
  await using owner = openPool({ url, pooled: false }, 1);
  // Found before the real one by its exact types: a server that knows it and refuses it.
  await owner.unsafe(`CREATE SCHEMA lacking`);
  await owner.unsafe(
    `CREATE FUNCTION lacking.pg_notify(text, text) RETURNS void LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'not supported' USING ERRCODE = '0A000'; END $$`,
  );
  const name = new URL(url).pathname.slice(1);
  await owner.unsafe(`ALTER DATABASE ${name} SET search_path = lacking, pg_catalog, public`);
  const options = { url, sealer: { seal: (plain: string) => plain }, dimensions: 256, model: 'm', now_ms: 0 };
  const [one, other] = await Promise.all([openPostgresStore(options), openPostgresStore(options)]);
  const woken = new Promise<CommitNotice>((resolve) => other.onCommit(resolve));
  const event = { id: 'e', to: 'agent', handle: 'h', event: 'test.ping', data: {}, subject_id: null } as const;
  await one.turn<null>({
    attempt: async () => ({
      reply: null,
      effects: [{ do: 'event', ...event, awaiting: false, respond_by: null, created_at: 1 }],
    }),
  });
  expect((await woken).woken).toEqual(['agent']);
  await Promise.all([one.close(), other.close()]);
});
