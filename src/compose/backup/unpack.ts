// Finds a backup and puts its files into an empty folder, checked against its manifest.
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { DATABASE_FILE } from '../../../db/sqlite/connection.ts';
import { type Part, unpack } from '../../outbound/backup/archive.ts';
import type { Kept, Place } from '../../outbound/backup/place.ts';
import { BackupProblem } from '../../outbound/backup/problem.ts';
import { unseal } from '../../outbound/backup/sealed-stream.ts';
import { SECRET_FILES } from '../../outbound/secrets.ts';
import { asProblem, type BackupConfig, type Manifest, placeOf, type Say } from './create.ts';

/** A backup that was named. */
export interface Found {
  readonly name: string;
  readonly bytes: number;
  open(): AsyncIterable<Uint8Array>;
}

/** The backups of a place, the newest first. Throws `BackupProblem`. */
export function backupsIn(place: Place): Promise<Kept[]> {
  return place.list().catch((error: unknown) => {
    throw asProblem(error, `${place.address} cannot be read`);
  });
}

/** Finds a backup by `latest`, its name, a path or an address in a bucket. Throws `BackupProblem`. */
export async function findBackup(config: BackupConfig, text: string): Promise<Found> {
  const [, folder, file] = /^(s3:\/\/[^?]{1,600})\/([^/]{1,200})$/.exec(text) ?? [];
  const size = folder === undefined ? statSync(text, { throwIfNoEntry: false }) : undefined;
  if (size?.isFile()) return { name: basename(text), bytes: size.size, open: () => createReadStream(text) };
  const place = folder === undefined ? placeOf(config) : placeOf(config, folder);
  const name = file ?? text;
  const listed = await backupsIn(place);
  const found = name === 'latest' ? listed[0] : listed.find((kept) => kept.name === name);
  if (!found) {
    const what = name === 'latest' ? 'no backup is' : `${name} is neither a file nor a backup`;
    throw new BackupProblem(`${what} in ${place.address}`);
  }
  return { name: found.name, bytes: found.bytes, open: () => place.read(found.name) };
}

/** Files that may be in a backup; no other name is ever written. */
const NAMES: readonly string[] = [...SECRET_FILES, DATABASE_FILE];

function manifestOf(given: unknown): Manifest {
  // Only the members that are used before its checksums are compared.
  const manifest = given as Partial<Manifest> | null;
  if (manifest?.format !== 1)
    throw new BackupProblem(`it has a form that this version does not know (${String(manifest?.format)})`);
  const parts: readonly Part[] = manifest.parts ?? [];
  const names = parts.map(({ name }) => name);
  if (!names.includes(DATABASE_FILE) || names.some((name, at) => !NAMES.includes(name) || names.indexOf(name) !== at))
    throw new BackupProblem('it is no backup of Meshwork');
  return manifest as Manifest;
}

interface Rules {
  /** May refuse by what the manifest says, before anything is written. */
  accept?(manifest: Manifest): void;
  /** Whether the files are to outlive a loss of power. */
  readonly durable: boolean;
}

/** Unpacks into a folder. Throws `BackupProblem`. */
export async function unpackBackup(
  found: Found,
  passphrase: string | undefined,
  folder: string,
  say: Say,
  { accept, durable }: Rules,
): Promise<Manifest> {
  say(`unpacking ${found.name}`);
  let manifest: Manifest | null = null;
  const take = (source: AsyncIterable<Uint8Array>): Promise<void> =>
    unpack(
      source,
      folder,
      (given) => {
        manifest = manifestOf(given);
        accept?.(manifest);
        return manifest.parts;
      },
      durable,
    );
  try {
    await pipeline(Readable.from(found.open()), unseal(passphrase), createZstdDecompress(), take);
  } catch (error) {
    const isTorn =
      error instanceof SyntaxError || (error instanceof Error && /^(?:ZSTD_|Z_|ERR_STREAM)/.test(codeOf(error)));
    if (isTorn) throw new BackupProblem('the file is damaged or was cut short');
    throw asProblem(error, 'it cannot be unpacked');
  }
  if (manifest === null) throw new BackupProblem('it is no backup of Meshwork');
  return manifest;
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
