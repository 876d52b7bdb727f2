// The embedded adapter keeps the store's contract.
import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import { sealer } from '../../src/outbound/deliver.ts';
import { journalContract } from './journal-contract.ts';
import { raceContract } from './race-contract.ts';
import { type Opened, storeContract } from './store-contract.ts';

function openIn(data_dir: string): Opened {
  const store = openSqliteStore({
    data_dir,
    sealer: sealer(new Uint8Array(32).fill(1)),
    dimensions: 256,
    model: 'm',
    now_ms: 0,
  });
  const execute = (statement: string): void => {
    using db = new Database(join(data_dir, DATABASE_FILE));
    db.run(statement);
  };
  return {
    store,
    execute: async (statement) => execute(statement),
    reopen: async () => {
      await store.close();
      return openIn(data_dir);
    },
    breakCommits: async () => {
      // The heads of the inboxes are written last in a group: without their table its commit fails.
      const rename = (from: string, to: string): void => execute(`ALTER TABLE ${from} RENAME TO ${to}`);
      rename('inboxes', 'inboxes_away');
      return async () => rename('inboxes_away', 'inboxes');
    },
    close: async () => {
      await store.close();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

const open = async (): Promise<Opened> => openIn(mkdtempSync(join(tmpdir(), 'meshwork-store-')));
storeContract('sqlite', open);
journalContract('sqlite', open);
raceContract('sqlite', open);
