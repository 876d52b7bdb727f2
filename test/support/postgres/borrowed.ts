// A server that runs already, named by TEST_DATABASE_URL. It is left as it was found: run by itself, this file waits at
// its input until the tests have ended, however they did, and drops every database with their prefix.
import type { Server } from './server.ts';

/** Uses the server of a URL, whose account must be allowed to create databases. */
export function borrowServer(given: string, prefix: string): Server {
  const url = (database: string): string => {
    const made = new URL(given);
    // Databases of ours lie beside the one that was named, which is only what one must connect to.
    if (database !== 'postgres') made.pathname = `/${database}`;
    return made.href;
  };
  const sweeper = Bun.spawn([process.execPath, import.meta.path, prefix], {
    env: { ...process.env, TEST_DATABASE_URL: given },
    detached: true,
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  sweeper.unref();
  const stop = async (): Promise<void> => {
    await sweeper.stdin.end();
    await sweeper.exited;
  };
  return { url, account: 'DEFAULT', stop };
}

async function sweep(given: string, prefix: string): Promise<void> {
  await Bun.stdin.text();
  await using sql = new Bun.SQL(given, { max: 1 });
  const rows = await sql.unsafe('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [`${prefix}_`]);
  for (const { datname } of rows) await sql.unsafe(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

if (import.meta.main) await sweep(process.env['TEST_DATABASE_URL'] ?? '', process.argv[2] ?? '');
