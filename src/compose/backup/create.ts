// Makes a backup of a data folder in use: the database by a read-only connection, and the secrets.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { DATABASE_FILE } from '../../../db/sqlite/connection.ts';
import { type Contents, contentsOf, copyDatabase, hasDatabase } from '../../../db/sqlite/copy.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config.ts';
import { type Part, pack, partOf } from '../../outbound/backup/archive.ts';
import { nameOf, openPlace, type Place } from '../../outbound/backup/place.ts';
import { BackupProblem } from '../../outbound/backup/problem.ts';
import { seal } from '../../outbound/backup/sealed-stream.ts';
import { SECRET_FILES } from '../../outbound/secrets.ts';

/** The prefix of temporary folders. */
const SCRATCH = 'backup.tmp-';
/** Older folders were left by a killed process. */
const LEFT_MS = 86_400_000;
/** The level that reads as fast as disks, for a tenth more bytes than the usual one. */
const LEVEL = 3;

/** The settings of backups. */
export type BackupConfig = Pick<
  Config,
  | 'dataDir'
  | 'internalToken'
  | 'backupDir'
  | 'backupPassphrase'
  | 's3Endpoint'
  | 's3Region'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
> & {
  /** Where files lie meanwhile; in DATA_DIR when unset. */
  readonly scratchDir?: string;
};

/** The description of a backup. */
export interface Manifest extends Contents {
  readonly format: 1;
  /** The version of the service that made it. */
  readonly version: string;
  readonly made_at: number;
  readonly parts: readonly Part[];
}

export interface Made {
  readonly name: string;
  /** Where it lies, with its name. */
  readonly address: string;
  readonly bytes: number;
  readonly encrypted: boolean;
  readonly manifest: Manifest;
  /** The secrets that were not in the folder, and so are not in the backup. */
  readonly missing: readonly string[];
}

/** Called with the name of each step. */
export type Say = (what: string) => void;

/** The place of BACKUP_DIR, or another one. */
export function placeOf(config: BackupConfig, text = config.backupDir ?? join(config.dataDir, 'backups')): Place {
  return openPlace(text, {
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    accessKeyId: config.s3AccessKeyId,
    secretAccessKey: config.s3SecretAccessKey,
  });
}

function removeLeft(folder: string, now_ms: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(SCRATCH) && now_ms - statSync(path).mtimeMs > LEFT_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Runs work with a temporary folder, and removes it. */
export async function withScratch<T>(
  { dataDir, scratchDir: folder = dataDir }: BackupConfig,
  work: (scratch: string) => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeft(folder, Date.now());
  const scratch = mkdtempSync(join(folder, SCRATCH));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Why something could not be written or read, in the words of a person. */
export function asProblem(error: unknown, about: string): unknown {
  if (error instanceof BackupProblem || !(error instanceof Error && 'code' in error)) return error;
  const { code, message } = error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL';
  return new BackupProblem(isFull ? `${about}: the disk is full` : `${about}: ${message}`, { cause: error });
}

/** Refuses when a copy would leave less free space than its own size, because a running service needs some. */
export function expectRoom(folder: string, sizes: readonly number[]): void {
  const { bavail, bsize } = statfsSync(folder);
  const [free, needed] = [bavail * bsize, 2 * sizes.reduce((sum, bytes) => sum + bytes, 0)];
  if (free < needed)
    throw new BackupProblem(`the disk is full: ${needed} bytes are needed in ${folder}, and ${free} are free`, {
      cause: 'ENOSPC',
    });
}

/** Copies a data folder's files into another folder, and returns the missing secrets. */
function gather({ dataDir, internalToken }: BackupConfig, scratch: string): { names: string[]; missing: string[] } {
  if (!hasDatabase(dataDir)) throw new BackupProblem(`no database is in ${dataDir}`);
  const file = join(dataDir, DATABASE_FILE);
  expectRoom(scratch, [statSync(file).size, statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0]);
  copyDatabase(dataDir, join(scratch, DATABASE_FILE));
  const there = SECRET_FILES.filter((name) => existsSync(join(dataDir, name)));
  for (const name of there) copyFileSync(join(dataDir, name), join(scratch, name));
  const missing = SECRET_FILES.filter((name) => !there.includes(name));
  return {
    names: [...there, DATABASE_FILE],
    missing: missing.filter((name) => name !== 'internal-token' || internalToken === undefined),
  };
}

/** Makes a backup in a place. Throws `BackupProblem`, and then has left nothing there. */
export async function createBackup(config: BackupConfig, place: Place, made_at: number, say: Say): Promise<Made> {
  const { backupPassphrase: passphrase } = config;
  try {
    return await withScratch(config, async (scratch) => {
      say('copying the database');
      const { names, missing } = gather(config, scratch);
      say('counting');
      const contents = contentsOf(join(scratch, DATABASE_FILE));
      const parts: Part[] = [];
      for (const part of names) parts.push(await partOf(scratch, part));
      const made: Manifest = { format: 1, version: manifest.version, made_at, ...contents, parts };
      const name = nameOf(made_at, passphrase !== undefined);
      say(`writing ${name}`);
      const zstd = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
      let bytes = 0;
      const keep = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
        bytes = await place.write(name, passphrase === undefined ? source : seal(passphrase)(source));
      };
      await pipeline(Readable.from(pack(made, scratch, parts, made_at)), zstd, keep);
      return {
        name,
        address: `${place.address.replace(/\/$/, '')}/${name}`,
        bytes,
        encrypted: passphrase !== undefined,
        manifest: made,
        missing,
      };
    });
  } catch (error) {
    throw asProblem(error, `no backup was made in ${place.address}`);
  }
}
