// The verbs of backups where the database is PostgreSQL: which of its own programs to use, and what can be checked of it.

import { markRestored, proveLive, serverVersion } from '../../../db/postgres/restored.ts';
import { BackupProblem } from '../../outbound/backup/problem.ts';

/** The commands that make and put back a copy of the database that a variable names, and what speaks against them on this machine. */
export async function dumpAdvice(url: string, variable: string, now_ms: number): Promise<string[]> {
  const file = `meshwork-${new Date(now_ms).toISOString().replaceAll(/[:.]/g, '-')}.dump`;
  const server = await serverVersion(url);
  const found = Bun.which('pg_dump');
  const said = found === null ? '' : await new Response(Bun.spawn([found, '--version']).stdout).text();
  const own = /\) (\d{1,3})/.exec(said)?.[1];
  const major = server.split('.', 1)[0] ?? '';
  const fit =
    own === undefined
      ? `pg_dump is not on this machine; take that of PostgreSQL ${major}`
      : Number(own) < Number(major)
        ? `pg_dump here is of PostgreSQL ${own}, and the server of ${major}: take a newer one`
        : `pg_dump ${own} is here, and fits the server (${server})`;
  return [
    'PostgreSQL is backed up by its own means; the secrets that nodes share are in the database:',
    `  pg_dump --format=custom --file=${file} "$${variable}"`,
    'and put back, with all nodes stopped, into an empty database:',
    `  pg_restore --exit-on-error --dbname="$${variable}" ${file} && meshwork backup restore --mark`,
    'A standby with WAL archiving (pgBackRest, barman) loses less: see "More than one machine" in operate.md.',
    fit,
  ];
}

/** The problems of the database, checked while its nodes run. */
export async function problemsOnPostgres(url: string, now_ms: number): Promise<string[]> {
  return (await proveLive(url, now_ms)).map(({ about, problem }) => `${about}: ${problem}`);
}

/** Marks that the database was restored; answers its epoch. Throws `BackupProblem` while nodes serve it. */
export async function markOnPostgres(url: string, now_ms: number): Promise<number> {
  const epoch = await markRestored(url, now_ms);
  if (epoch === null) throw new BackupProblem('nodes are connected to the database; stop all of them first');
  return epoch;
}
