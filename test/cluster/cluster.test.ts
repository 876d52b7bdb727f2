// Three real nodes on one real PostgreSQL, many clients, a reader per agent: nodes are killed and made to stand still, and
// answers get lost. Whatever was answered is there once, and stays answered. scripts/cluster runs it for longer; CLUSTER_WITHOUT=1
// shows besides that it notices when a safeguard is gone.
import { afterAll, describe, expect, test } from 'bun:test';
import { endServers } from '../support/child.ts';
import { often } from '../support/nightly.ts';
import { hasPgbouncer, startPgbouncer } from '../support/postgres/pgbouncer.ts';
import { startPostgres } from '../support/postgres.ts';
import { runCluster } from './run.ts';

const server = await startPostgres();
if (!hasPgbouncer) console.warn('SKIPPED: there is no pgbouncer on this machine; a cluster behind it is not tested');
afterAll(() => {
  endServers();
  server?.stop();
});

/** For what hangs: three nodes and their clients on a busy machine take minutes. */
const TIMEOUT_MS = 900_000;
const SEED = 3;

describe.skipIf(server === null)('a cluster under faults', () => {
  const database = async (): Promise<string> => (await server?.database()) ?? '';

  test(
    'keeps every answered write once, every inbox whole and every answer under its key',
    async () => {
      const { problems, figures } = await runCluster({
        database_url: await database(),
        seed: SEED,
        seconds: 0,
        pace: 20,
        clients: often(8, 48),
      });
      console.log(figures);
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'does so when the first node leaves matching to the others',
    async () => {
      const options = { database_url: await database(), roles: true, seed: SEED, seconds: 0, pace: 10 };
      const { problems, figures } = await runCluster({ ...options, clients: often(4, 48) });
      console.log(figures);
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test.skipIf(!hasPgbouncer)(
    'does so behind PgBouncer, which is killed and started again',
    async () => {
      const database_url = await database();
      const pooler = await startPgbouncer(database_url);
      const { problems, figures } = await runCluster({
        database_url,
        pooled_url: pooler.url,
        seed: SEED,
        seconds: 0,
        pace: 10,
        clients: often(4, 48),
        strike: () => pooler.restart(),
      });
      await pooler.stop();
      console.log(figures);
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  // They take minutes of both cores, and what they show changes with this test alone.
  if (!process.env['CLUSTER_WITHOUT']) return;
  const lame = { seed: SEED, seconds: -1, pace: 400 };

  test(
    'would be caught without the version check: two answers to one event are both accepted',
    async () => {
      const { problems } = await runCluster({ ...lame, database_url: await database(), without: 'version_check' });
      expect(problems.join('\n')).toMatch(/was accepted, and|answers to .* were accepted|matches with two threads/);
    },
    TIMEOUT_MS,
  );

  test(
    'would be caught without the idempotency row: what is sent again is done again',
    async () => {
      const { problems } = await runCluster({ ...lame, database_url: await database(), without: 'idempotency_row' });
      expect(problems.join('\n')).toMatch(/is 2 times in|replaying changed messages/);
    },
    TIMEOUT_MS,
  );
});
