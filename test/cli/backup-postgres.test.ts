// The verbs of backups where the database is PostgreSQL: they name its own means, look at the live database, and mark it as restored.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, startServer } from '../support/child.ts';
import { runVerb } from '../support/meshwork.ts';
import { onPostgres, sharedPostgres } from '../support/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'meshwork-backup-pg-'));
afterAll(() => {
  endServers();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!onPostgres)(
  'create names pg_dump, verify looks at the live database, restore marks it when no node serves',
  async () => {
    const env = { DATABASE_URL: (await (await sharedPostgres())?.migrated()) ?? '', DATA_DIR: folder };
    const backup = (...words: string[]) => runVerb(folder, ['backup', ...words], env);
    const server = await startServer(folder, env);
    const told = await backup('create');
    expect(told).toMatchObject({ status: 0 });
    expect(told.out).toContain('pg_dump --format=custom');
    expect(told.out).toMatch(/pg_dump (?:\d+ is here, and fits|is not on this machine|here is of)/);
    expect((await backup('verify')).out).toBe('the database: ok');
    expect((await backup('restore', '--mark')).err).toContain('nodes are connected');
    await server.end('SIGTERM');
    const marked = async (): Promise<number> =>
      Number((await backup('restore', '--mark')).out.match(/epoch (\d+)$/)?.[1]);
    const first = await marked();
    expect(first).toBeGreaterThan(1);
    expect(await marked()).toBeGreaterThan(first);
  },
);
