// A backup of a database that is about to be migrated: an older version cannot open it afterwards.
import { join } from 'node:path';
import { hasDatabase, pendingIn } from '../../../db/sqlite/copy.ts';
import { type Config, UnusableSetting } from '../../config.ts';
import type { Log } from '../../log.ts';
import { createBackup, placeOf } from './create.ts';

/** Makes one in DATA_DIR/backups, where there is something to migrate. Throws `UnusableSetting` where that fails. */
export async function backUpBeforeMigration(config: Config, now_ms: number, log: Log): Promise<void> {
  const { dataDir, backupBeforeMigration } = config;
  if (!backupBeforeMigration || !hasDatabase(dataDir)) return;
  const pending = pendingIn(dataDir);
  if (pending.length === 0) return;
  try {
    const place = placeOf(config, join(dataDir, 'backups'));
    const { address } = await createBackup(config, place, now_ms, () => {});
    log.warn('the database is about to be migrated; a backup was made before', { count: pending.length, url: address });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableSetting(
      `DATA_DIR has to be migrated, and the backup before failed: ${reason}; BACKUP_BEFORE_MIGRATION=off does without`,
    );
  }
}
