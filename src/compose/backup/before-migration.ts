// A backup of a database that is about to be migrated: an older version cannot open it afterwards.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../../db/sqlite/connection.ts';
import { hasDatabase, pendingIn } from '../../../db/sqlite/copy.ts';
import { type Config, UnusableSetting } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Place } from '../../outbound/backup/place.ts';
import { createBackup, placeOf } from './create.ts';

/** The file with the names of backups before migrations, the newest first, one a line. */
const LIST = 'before-migration.txt';
const KEPT = 3;

/** When a database was written last: its log, unless that is empty, since a start copies the log into the file without a new write. */
function writtenAt(file: string): number {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return log && log.size > 0 ? log.mtimeMs : statSync(file).mtimeMs;
}

/** Lets the oldest go: a service that fails at each start, after it has written, makes one each time. */
async function keepFew(place: Place, made: string): Promise<void> {
  const file = join(place.address, LIST);
  const known = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const there = (await place.list()).map(({ name }) => name);
  const names = [made, ...known].filter((name) => there.includes(name));
  for (const name of names.slice(KEPT)) await place.remove(name);
  writeFileSync(file, names.slice(0, KEPT).join('\n'), { mode: 0o600 });
}

/** Makes a backup in DATA_DIR/backups before a migration, unless there is one of the unchanged database. Throws `UnusableSetting` when
 * that fails. */
export async function backUpBeforeMigration(config: Config, now_ms: number, log: Log): Promise<void> {
  const { dataDir, backupBeforeMigration } = config;
  if (!backupBeforeMigration || !hasDatabase(dataDir)) return;
  const pending = pendingIn(dataDir);
  if (pending.length === 0) return;
  try {
    const place = placeOf(config, join(dataDir, 'backups'));
    const written_at = writtenAt(join(dataDir, DATABASE_FILE));
    if ((await place.list()).some(({ made_at }) => made_at > written_at && made_at <= now_ms)) return;
    const { name, address } = await createBackup(config, place, now_ms, () => {});
    await keepFew(place, name);
    log.warn('the database is about to be migrated; a backup was made before', { count: pending.length, url: address });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableSetting(
      `DATA_DIR has to be migrated, and the backup before failed: ${reason}; BACKUP_BEFORE_MIGRATION=off does without`,
    );
  }
}
