// The database work of an update: a backup before it, and the way back when the new version migrated but did not become ready.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { appliedOnPostgres } from '../../db/migrations/pending.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { contentsOf, hasDatabase, stampsOf } from '../../db/sqlite/copy.ts';
import type { Config } from '../config.ts';
import { createBackup, placeOf, type Say, withScratch } from './backup/create.ts';
import { restoreBackup } from './backup/restore.ts';
import { findBackup, unpackBackup } from './backup/unpack.ts';

/** The state before an update. */
export interface Before {
  /** The applied migrations; null without a database. */
  readonly schema: readonly string[] | null;
  readonly at_ms: number;
}

const fileOf = ({ dataDir }: Config): string => join(dataDir, DATABASE_FILE);

/** Makes a backup, unless there is DATABASE_URL or no database. A database server is backed up by its own means before. */
export async function backUpBefore(config: Config, now_ms: number, say: Say): Promise<Before> {
  const { databaseUrl } = config;
  if (databaseUrl !== undefined) return { schema: await appliedOnPostgres(databaseUrl), at_ms: now_ms };
  if (!hasDatabase(config.dataDir)) return { schema: null, at_ms: now_ms };
  const { schema } = contentsOf(fileOf(config));
  const { address } = await createBackup(config, placeOf(config), now_ms, say);
  say(`a backup is in ${address}`);
  return { schema, at_ms: now_ms };
}

/** A summary of a database's content, to detect writes. */
function heldIn(file: string): object {
  const { ledger, head } = contentsOf(file);
  return { ledger, head, stamps: stampsOf(file) };
}

/** The newest backup since the update began with the previous schema and the database's current content. */
async function fittingBackup(config: Config, { schema, at_ms }: Before, say: Say): Promise<string | null> {
  const now = heldIn(fileOf(config));
  const own = join(config.dataDir, 'backups');
  for (const place of [placeOf(config, own), placeOf(config)]) {
    const kept = await place.list().catch(() => []);
    for (const { name, made_at } of kept) {
      if (made_at < at_ms) continue;
      const path = `${place.address.replace(/\/$/, '')}/${name}`;
      const fits = withScratch(config, async (scratch) => {
        const found = await findBackup(config, path);
        const manifest = await unpackBackup(found, config.backupPassphrase, scratch, say, { durable: false });
        return (
          isDeepStrictEqual(manifest.schema, schema) && isDeepStrictEqual(heldIn(join(scratch, DATABASE_FILE)), now)
        );
      });
      // An unreadable backup must not hide another one.
      if (await fits.catch((error: Error) => say(`${name}: ${error.message}`))) return path;
    }
  }
  return null;
}

const MIGRATED_SERVER =
  'the new version has migrated the database of DATABASE_URL, which the old one then refuses. Mend what keeps the new version from getting ready; or give up what was written since your backup: stop all nodes, put the backup into an empty database (pg_restore), run meshwork backup restore --mark, and put the old binary back';

/** Makes a database that is not in use readable for the old version. Returns why that failed, or null. */
export async function bringBack(config: Config, before: Before, now_ms: number, say: Say): Promise<string | null> {
  const { schema } = before;
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined) {
    const same = schema === null || isDeepStrictEqual(await appliedOnPostgres(databaseUrl), schema);
    return same ? null : MIGRATED_SERVER;
  }
  const asked = { folder: dataDir, replace: true, now_ms };
  // An interrupted restore is finished first.
  if (existsSync(join(dataDir, 'restore.json')))
    await restoreBackup(config, () => findBackup(config, 'latest'), asked, say);
  if (schema === null || !hasDatabase(dataDir)) return null;
  if (isDeepStrictEqual(contentsOf(fileOf(config)).schema, schema)) return null;
  const path = await fittingBackup(config, before, say);
  if (path === null) {
    return 'the new version has migrated the database, and since then something was written that no backup holds. Mend what keeps the new version from getting ready; or give up what was written: put the old binary back, then meshwork backup restore latest --replace';
  }
  await restoreBackup(config, () => findBackup(config, path), asked, say);
  say('the database is as it was; what was due then waits: meshwork resume');
  return null;
}
