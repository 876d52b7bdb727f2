// Copies a service from one engine to the other: every row and the secrets, proved before the copy can be served. The source stays
// as it is.
import { CopyProblem, type CopySource, type CopyTarget, type SecretValues } from '../../db/copy/ends.ts';
import { fromPostgres, intoPostgres } from '../../db/copy/postgres.ts';
import { copyRows, type Progress } from '../../db/copy/rows.ts';
import { fromSqlite, intoSqlite } from '../../db/copy/sqlite.ts';
import type { Config } from '../config.ts';
import { EMBEDDING_DIMENSIONS } from '../outbound/embedder/embedder.ts';
import { checkValues, SECRET_FILES, SECRETS_NOTE, secretsFrom, strangeAmong } from '../outbound/secrets.ts';
import { refuseHalfRestored } from './backup/restore.ts';

/** Whether a place is a PostgreSQL database, and no folder. */
export function isPostgres(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/** How the operator hears of it. */
export interface Told {
  readonly say: (what: string) => void;
  readonly progress: Progress;
}

/** Throws where the secrets of an end are not those that its rows were made with. */
async function refuseStrange(end: CopySource, values: SecretValues): Promise<void> {
  const [note] = await end.rows(`SELECT value FROM service_notes WHERE id = '${SECRETS_NOTE}'`);
  if (!note) return;
  // The internal token may change at each start.
  const secrets = await secretsFrom(async (name, make) => values[name] ?? make(), 'not looked at here');
  // The service's own JSON.
  const strange = strangeAmong(JSON.parse(String(note['value'])), checkValues(secrets));
  if (strange.length > 0)
    throw new CopyProblem(`${strange.join(', ')}: not the one that the database was made with, or missing`);
}

async function copyAll(
  source: CopySource,
  target: CopyTarget,
  { say, progress }: Told,
): Promise<Readonly<Record<string, number>>> {
  const secrets = await source.secrets();
  await refuseStrange(source, secrets);
  const rows = await copyRows(source, target, progress);
  say('deriving what follows from the rows');
  await target.derive();
  await target.putSecrets(secrets);
  await refuseStrange(target, await target.secrets());
  return rows;
}

/** Copies the database and the secrets that the settings name to `to`, a PostgreSQL URL or a new folder. Answers the number of rows of
 * each table. Throws `CopyProblem`, and then leaves nothing that could be served. */
export async function copyService(
  config: Config,
  to: string,
  now_ms: number,
  told: Told,
): Promise<Readonly<Record<string, number>>> {
  const { dataDir, databaseUrl, databaseDirectUrl } = config;
  if (/^\w+:\/\//.test(to) && !isPostgres(to)) throw new CopyProblem('--to takes a URL of PostgreSQL, or a folder');
  if (isPostgres(to) === (databaseUrl !== undefined)) throw new CopyProblem('the service is on that engine already');
  const common = { secret_files: SECRET_FILES, dimensions: EMBEDDING_DIMENSIONS };
  const work = (source: CopySource): Promise<Readonly<Record<string, number>>> => {
    const copy = (target: CopyTarget) => copyAll(source, target, told);
    return isPostgres(to)
      ? intoPostgres(to, now_ms, copy, told.say)
      : intoSqlite({ ...common, folder: to }, now_ms, copy, told.say);
  };
  if (databaseUrl !== undefined) return fromPostgres(databaseDirectUrl ?? databaseUrl, work);
  refuseHalfRestored(dataDir);
  return fromSqlite({ ...common, folder: dataDir }, work);
}
