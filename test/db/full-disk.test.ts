// A disk that is full for the database file while the log still has room: every write that is committed is answered, and
// the copying goes on by itself once there is room again. The room is really taken, by the limit that the system puts on
// the size of a process's files.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import type { Seen } from './full-disk-job.ts';

test.skipIf(process.platform !== 'linux')(
  'a log that cannot be copied keeps no reply back, is told of, and is copied once it can be',
  async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-full-disk-'));
    try {
      const job = Bun.spawn([process.execPath, join(import.meta.dir, 'full-disk-job.ts'), data_dir], {
        stdout: 'pipe',
        stderr: 'inherit',
      });
      const printed = await new Response(job.stdout).text();
      expect(await job.exited).toBe(0);
      const seen = JSON.parse(printed) as Seen;
      expect(seen).toMatchObject({ turns: 900, answered: 900, grew: { full: false, after: true } });
      expect(seen.counted).toBeGreaterThan(0);
      expect(seen.troubles).toEqual(Array.from({ length: seen.counted }, () => 'checkpoint'));
      using db = new Database(join(data_dir, DATABASE_FILE), { readonly: true });
      expect(db.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    } finally {
      rmSync(data_dir, { recursive: true, force: true });
    }
  },
);
