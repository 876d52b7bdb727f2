// What the clustered adapter takes for granted of Bun's client: statements that are sent together run in the order in which
// they were sent, whether or not their connection has prepared them before; and COMMIT behind a failed one undoes all.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ReservedSQL } from 'bun';
import { send } from '../../db/postgres/connection.ts';
import { startPostgres } from '../support/postgres.ts';

const server = await startPostgres({ durable: false });

async function bare(session: ReservedSQL, word: 'BEGIN' | 'COMMIT'): Promise<void> {
  await (word === 'BEGIN' ? session`BEGIN` : session`COMMIT`);
}

describe.skipIf(server === null)('statements that are sent together', () => {
  let sql: Bun.SQL;
  let reserved: ReservedSQL;

  beforeAll(async () => {
    sql = new Bun.SQL((await server?.database()) ?? '', { max: 2 });
    await sql.unsafe('CREATE TABLE sent (id bigint PRIMARY KEY, transaction text NOT NULL)');
    reserved = await sql.reserve();
    await bare(reserved, 'BEGIN');
    await bare(reserved, 'COMMIT');
  });
  afterAll(async () => {
    reserved.release();
    await sql.close({ timeout: 0 });
    await server?.stop();
  });

  /** Puts two rows in, by statements that the connection knows or by new ones. */
  const put = async (first: number, second: number, fresh: boolean): Promise<string[]> => {
    const text = (n: number): string =>
      `INSERT INTO sent VALUES ($1::bigint, txid_current()::text) ${fresh ? `/* ${n} ${first} */` : ''}`;
    const sent = [bare(reserved, 'BEGIN'), send(reserved, text(1), [first]), send(reserved, text(2), [second])];
    const ends = await Promise.allSettled([...sent, bare(reserved, 'COMMIT')]);
    return ends.map(({ status }) => status);
  };

  test('are one transaction between BEGIN and COMMIT', async () => {
    for (let i = 0; i < 60; i++) expect(new Set(await put(i, 1_000 + i, i % 2 === 0))).toEqual(new Set(['fulfilled']));
    const rows = await sql.unsafe('SELECT transaction FROM sent GROUP BY transaction HAVING count(*) = 2');
    expect(rows).toHaveLength(60);
  });

  test('leave nothing when one of them fails', async () => {
    for (let i = 0; i < 60; i++) expect(await put(5_000 + i, 5_000 + i, i % 2 === 0)).toContain('rejected');
    expect(await sql.unsafe('SELECT id FROM sent WHERE id >= 5000')).toHaveLength(0);
  });
});
