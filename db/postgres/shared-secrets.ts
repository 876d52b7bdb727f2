// The secrets that all nodes must have alike, kept in the database that they share. The first node to ask makes one; a
// key decides who was first, and everybody reads what stands.
import { bringUpToDate } from './bring-up-to-date.ts';
import { findServer } from './find-server.ts';
import { Pool } from './pool.ts';

/** Reads secrets, making each that is missing. */
export type SecretSource = (name: string, make: () => string) => Promise<string>;

/** Runs `use` with the secrets of a database, which is brought up to date first, by whoever says so beside older nodes. */
export async function withSharedSecrets<T>(
  url: string,
  now_ms: number,
  use: (secret: SecretSource) => Promise<T>,
  while_older_nodes_run = false,
): Promise<T> {
  const server = await findServer(url);
  await bringUpToDate(server, now_ms, while_older_nodes_run);
  const pool = new Pool(server, { max: 1 });
  try {
    return await use(async (name, make) => {
      const read = async (): Promise<unknown> =>
        (await pool.unsafe('SELECT value FROM secrets WHERE id = $1', [name]))[0]?.value;
      const known = await read();
      if (typeof known === 'string') return known;
      await pool.unsafe('INSERT INTO secrets (id, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, make()]);
      return String(await read());
    });
  } finally {
    await pool.close();
  }
}
