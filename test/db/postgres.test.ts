// The clustered adapter keeps the store's contract, on a real server.
import { test } from 'bun:test';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { sealer } from '../../src/outbound/deliver.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { journalContract } from './journal-contract.ts';
import { raceContract } from './race-contract.ts';
import { type Opened, storeContract } from './store-contract.ts';

const server = await sharedPostgres();

async function openOn(url: string): Promise<Opened> {
  const secret = sealer(new Uint8Array(32).fill(1));
  const store = await openPostgresStore({ url, sealer: secret, dimensions: 256, model: 'm', now_ms: 0 });
  const execute = async (statement: string): Promise<void> => {
    await using sql = new Bun.SQL(url, { max: 1 });
    await sql.unsafe(statement);
  };
  const rename = (from: string, to: string): Promise<void> => execute(`ALTER TABLE ${from} RENAME TO ${to}`);
  return {
    store,
    execute,
    reopen: async () => {
      await store.close();
      return openOn(url);
    },
    breakCommits: async () => {
      await rename('inboxes', 'inboxes_away');
      return () => rename('inboxes_away', 'inboxes');
    },
    close: () => store.close(),
  };
}

if (server) {
  const open = async (): Promise<Opened> => openOn(await server.migrated());
  storeContract('postgres', open);
  journalContract('postgres', open);
  raceContract('postgres', open);
}
// Where no PostgreSQL can be had the contract is one skipped test, so that the closing line counts it.
else test.skip('postgres', () => {});
