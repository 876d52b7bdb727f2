// Restores a backup into a data folder. It is unpacked and checked beside the existing files; then a marker is written, the existing
// files move into a folder of their own, and the new files take their place. A restore that is interrupted after the marker is finished
// by the next one, and no service starts before that.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { UnknownMigrations } from '../../../db/migrations/unknown.ts';
import { DATABASE_FILE } from '../../../db/sqlite/connection.ts';
import { hasDatabase, hasTables, noteIn, refuseNewer, writeNoteIn } from '../../../db/sqlite/copy.ts';
import { DataDirLocked, lockDataDir } from '../../../db/sqlite/lock.ts';
import { removeMark } from '../../../db/sqlite/mark.ts';
import { UnusableSetting } from '../../config.ts';
import { BackupProblem } from '../../outbound/backup/problem.ts';
import { syncFolder } from '../../outbound/sync-folder.ts';
import { asProblem, type BackupConfig, type Manifest, type Say } from './create.ts';
import { type Found, unpackBackup } from './unpack.ts';

/** The folder of the unpacked new files. */
const ARRIVING = 'restore.tmp';
const MARKER = 'restore.json';
const REPLACED = 'replaced-';
/** Files that stay in place: the lock, which the restore holds, backups, and the notes of an update. */
const STAYS =
  /^(?:update\.(?:json|log)|lock(?:-journal)?|backups|restore\.tmp|restore\.json(?:\.new)?|replaced-.*|backup\.tmp-.*)$/;

/** The service note of a database that was restored. */
const RESTORED_NOTE = 'restored';

interface Marker {
  /** The folder for the existing files. */
  readonly replaced: string;
  /** Whether they are already there, so that all other files are new. */
  readonly moved: boolean;
}

export interface Restored {
  readonly manifest: Manifest | null;
  /** The folder of the previous files; null when there were none. */
  readonly replaced: string | null;
  readonly epoch: number | null;
}

function markerOf(folder: string): Marker | null {
  const path = join(folder, MARKER);
  // Ours: the folder is private to the service.
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Marker) : null;
}

async function writeMarker(folder: string, marker: Marker): Promise<void> {
  const draft = join(folder, `${MARKER}.new`);
  const file = await open(draft, 'w', 0o600);
  await file.writeFile(JSON.stringify(marker));
  await file.sync();
  await file.close();
  renameSync(draft, join(folder, MARKER));
  await syncFolder(folder);
}

/** The folder of the previous files; null when there were none. */
function replacedIn(folder: string, { replaced }: Marker): string | null {
  const path = join(folder, replaced);
  return existsSync(path) ? path : null;
}

/** Throws `UnusableSetting` when a restore was interrupted while it replaced files. */
export function refuseHalfRestored(folder: string): void {
  const marker = markerOf(folder);
  if (marker === null) return;
  const of_before = replacedIn(folder, marker);
  const told = of_before === null ? '' : ` (what was there before is in ${of_before})`;
  throw new UnusableSetting(
    `DATA_DIR cannot be used: a restore into ${folder} was cut off; meshwork backup restore finishes it${told}`,
  );
}

/** Moves the remaining files. Can be repeated after a crash at any point. */
async function place(folder: string, marker: Marker): Promise<void> {
  const arriving = join(folder, ARRIVING);
  // The folder is removed before the marker: when it is gone, all new files are in place.
  const names = marker.moved && !existsSync(arriving) ? [] : readdirSync(arriving);
  if (!marker.moved) {
    const replaced = join(folder, marker.replaced);
    mkdirSync(replaced, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (!STAYS.test(name)) renameSync(join(folder, name), join(replaced, name));
    await syncFolder(replaced);
    await writeMarker(folder, { ...marker, moved: true });
  }
  for (const name of names) renameSync(join(arriving, name), join(folder, name));
  await syncFolder(folder);
  rmSync(arriving, { recursive: true, force: true });
  rmSync(join(folder, MARKER));
  await syncFolder(folder);
}

/** The epoch of a database: 1 before its first restore. */
function epochOf(file: string): number {
  const epoch = noteIn(file, RESTORED_NOTE)?.['epoch'];
  return typeof epoch === 'number' ? epoch : 1;
}

/** The epoch of the replaced database, if its file can be read. */
function epochBefore(folder: string): number {
  try {
    return hasDatabase(folder) ? epochOf(join(folder, DATABASE_FILE)) : 1;
  } catch {
    return 1;
  }
}

/** Begins a new epoch in a database of `backup_at`, null for an unknown time: seqs that were used since then are used again, and an epoch
 * above all earlier ones tells them apart. `before` is the epoch of the folder, 1 if it is not known: the time in seconds is above it,
 * since two restores never happen within one second. */
function beginEpoch(
  file: string,
  before: number,
  { now_ms, backup_at, fold }: { now_ms: number; backup_at: number | null; fold: boolean },
): number {
  const epoch = Math.max(epochOf(file) + 1, before + 1, Math.floor(now_ms / 1_000));
  writeNoteIn(file, RESTORED_NOTE, { epoch, restored_at: now_ms, backup_at, held: true }, fold);
  return epoch;
}

/** Lets a database be served that has lost writes: as after a restore, a new epoch begins and what was due waits. */
export function acceptLoss(folder: string, now_ms: number): void {
  if (hasTables(folder)) beginEpoch(join(folder, DATABASE_FILE), 1, { now_ms, backup_at: null, fold: false });
  removeMark(folder);
}

async function unpackBeside(
  folder: string,
  found: Found,
  { backupPassphrase }: BackupConfig,
  say: Say,
): Promise<Manifest> {
  const arriving = join(folder, ARRIVING);
  rmSync(arriving, { recursive: true, force: true });
  mkdirSync(arriving, { mode: 0o700 });
  try {
    const manifest = await unpackBackup(found, backupPassphrase, arriving, say, {
      accept: ({ schema, version }) => refuseNewer(schema, version),
      durable: true,
    });
    await syncFolder(arriving);
    return manifest;
  } catch (error) {
    rmSync(arriving, { recursive: true, force: true });
    if (error instanceof UnknownMigrations) throw new BackupProblem(`it is of a newer version: ${error.message}`);
    throw error;
  }
}

/** Runs the work with the folder's lock held. */
async function holding<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let unlock: () => void;
  try {
    unlock = lockDataDir(folder);
  } catch (error) {
    throw error instanceof DataDirLocked ? new BackupProblem(error.message) : error;
  }
  try {
    return await work();
  } finally {
    unlock();
  }
}

interface Asked {
  readonly folder: string;
  /** Move existing files away. */
  readonly replace: boolean;
  readonly now_ms: number;
}

async function restoreHeld(
  config: BackupConfig,
  find: () => Promise<Found>,
  { folder, replace, now_ms }: Asked,
  say: Say,
): Promise<Restored> {
  const before = readdirSync(folder).filter((name) => !STAYS.test(name));
  if (before.length > 0 && !replace)
    throw new BackupProblem(`${folder} is not empty; --replace keeps what is there in a folder beside the new files`);
  const manifest = await unpackBeside(folder, await find(), config, say);
  const database = join(folder, ARRIVING, DATABASE_FILE);
  const epoch = beginEpoch(database, epochBefore(folder), { now_ms, backup_at: manifest.made_at, fold: true });
  const replaced = `${REPLACED}${new Date(now_ms).toISOString().replaceAll(/[:.]/g, '-')}`;
  say('putting it in place');
  const marker: Marker = { replaced, moved: before.length === 0 };
  await writeMarker(folder, marker);
  await place(folder, marker);
  return { manifest, replaced: replacedIn(folder, marker), epoch };
}

/** Restores a backup into a folder, or finishes an interrupted restore there. Throws `BackupProblem`, mostly before any file was moved;
 * otherwise the marker is there. */
export function restoreBackup(
  config: BackupConfig,
  find: () => Promise<Found>,
  asked: Asked,
  say: Say,
): Promise<Restored> {
  const { folder } = asked;
  return holding(folder, async () => {
    try {
      const marker = markerOf(folder);
      if (marker === null) return await restoreHeld(config, find, asked, say);
      await place(folder, marker);
      return { manifest: null, replaced: replacedIn(folder, marker), epoch: epochBefore(folder) };
    } catch (error) {
      throw asProblem(error, `nothing was restored into ${folder}`);
    }
  });
}
