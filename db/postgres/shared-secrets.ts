// The secrets that all nodes share, stored in their database. The first node that asks for one makes it; the primary key
// decides who was first, and all nodes read the stored value.
import { bringUpToDate } from './bring-up-to-date.ts';
import { findServer } from './find-server.ts';
import { Pool } from './pool.ts';

/** Reads secrets, making each that is missing. */
export type SecretSource = (name: string, make: () => string) => Promise<string>;

/** Where the database is; with a pooler at `url`, `direct_url` leads around it. */
interface Address {
  readonly url: string;
  readonly direct_url?: string | undefined;
}

/** Migrates the database (beside older nodes only when the caller allows it) and runs `use` with its secrets. */
export async function withSharedSecrets<T>(
  { url, direct_url }: Address,
  now_ms: number,
  use: (secret: SecretSource) => Promise<T>,
  while_older_nodes_run = false,
): Promise<T> {
  const server = await findServer(url);
  const direct = direct_url === undefined ? server : { url: direct_url, pooled: false };
  await bringUpToDate(direct, now_ms, while_older_nodes_run);
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
