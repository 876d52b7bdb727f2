// The PostgreSQL of a test run goes with the run, folder and all, even when that is killed.
import { expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from '../support/postgres/find.ts';
import { until } from '../support/until.ts';

const SERVER = JSON.stringify(join(import.meta.dir, '../support/postgres/server.ts'));
const bin = findPostgres();

/** Starts a process that starts a server, kills it when the server is `ready` or right away, and answers the port. */
async function killed(folder: string, ready: boolean): Promise<number> {
  const script = `
    const { startServer } = await import(${SERVER});
    console.log('starting');
    const server = await startServer(${JSON.stringify(bin)}, { durable: false, plain: false });
    console.log(new URL(server.url('postgres')).port);
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: { ...process.env, TMPDIR: folder },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = child.stdout.getReader();
  let said = '';
  while (ready ? !/\d\n/.test(said) : readdirSync(folder).length === 0) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the server was never there');
    said += new TextDecoder().decode(value);
    // The folder comes soon after the first word.
    await until(() => ready || readdirSync(folder).length > 0);
  }
  child.kill('SIGKILL');
  await child.exited;
  return Number(said.match(/\d+/)?.[0] ?? 0);
}

const answers = (port: number): Promise<boolean> =>
  Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => {} } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    () => false,
  );

for (const [when, ready] of [
  ['that serves', true],
  ['that is still being made', false],
] as const) {
  test.skipIf(bin === null)(`a server ${when} leaves neither process nor folder behind`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meshwork-ends-'));
    // The account that runs the server must reach its own folder inside.
    chmodSync(folder, 0o755);
    try {
      const port = await killed(folder, ready);
      expect(port > 0).toBe(ready);
      // Where it does not go, the test runs out of time.
      await until(async () => readdirSync(folder).length === 0 && !(port > 0 && (await answers(port))));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
