// Where backups are kept: a folder, or a bucket that speaks S3. Only what bears the name of a whole backup is ever listed or removed.
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import { BackupProblem } from './problem.ts';

const NAME = /^meshwork-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.tar\.zst(\.enc)?$/;
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.{0,500}))?$/;
const PARTIAL = '.partial';
/** Older files were left by a killed process. */
const LEFT_MS = 86_400_000;
/** S3 takes parts of 5 MiB and more, and 10,000 of them. */
const PART_BYTES = 16_777_216;
const READ_BYTES = 1_048_576;
/** More unsynced data than this would delay the commits of a running service. */
const SYNC_BYTES = 8_388_608;

type Bytes = AsyncIterable<Uint8Array>;

export interface Kept {
  readonly name: string;
  readonly made_at: number;
  readonly bytes: number;
  readonly encrypted: boolean;
}

/** A place of complete backups. */
export interface Place {
  /** Its name for people. */
  readonly address: string;
  /** The newest first. */
  list(): Promise<Kept[]>;
  /** Keeps a stream under a name once all of it is there; answers its size. */
  write(name: string, source: Bytes): Promise<number>;
  read(name: string): Bytes;
  remove(name: string): Promise<void>;
  /** Removes what a write of it has left whose thread was ended. */
  abandon(name: string): Promise<void>;
}

export interface S3Access {
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
}

export function nameOf(made_at: number, encrypted: boolean): string {
  const time = new Date(made_at).toISOString().replaceAll(/[:.]/g, '-');
  return `meshwork-${time}.tar.zst${encrypted ? '.enc' : ''}`;
}

/** The backup of a file name; null for other files. */
function keptOf(name: string, bytes: number): Kept | null {
  const [, hour, minute, second, ms, encrypted] = NAME.exec(name) ?? [];
  if (hour === undefined) return null;
  const made_at = Date.parse(`${hour}:${minute}:${second}.${ms}Z`);
  return { name, made_at, bytes, encrypted: encrypted !== undefined };
}

const newestFirst = (kept: Kept[]): Kept[] => kept.sort((a, b) => b.made_at - a.made_at);

/** Removes what a process that was killed has left half-written. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(PARTIAL) || keptOf(name.slice(0, -PARTIAL.length), 0) === null) continue;
    const path = join(folder, name);
    const found = await stat(path);
    if (found.isFile() && Date.now() - found.mtimeMs > LEFT_MS) await rm(path, { force: true });
  }
}

async function writeFile(folder: string, name: string, source: Bytes): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(folder);
  let path = join(folder, `${name}${PARTIAL}`);
  const file = await open(path, 'wx', 0o600);
  let [bytes, unsynced] = [0, 0];
  try {
    for await (const chunk of source) {
      await file.writeFile(chunk);
      bytes += chunk.byteLength;
      unsynced += chunk.byteLength;
      if (unsynced < SYNC_BYTES) continue;
      await file.datasync();
      unsynced = 0;
    }
    await file.sync();
    await rename(path, join(folder, name));
    path = join(folder, name);
    await syncFolder(folder);
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    await file.close().catch(() => {});
  }
  return bytes;
}

function folderPlace(folder: string): Place {
  return {
    address: folder,
    list: async () => {
      const names = await readdir(folder).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
        throw error;
      });
      const found = await Promise.all(
        names.map(async (name) => {
          const size = keptOf(name, 0) && (await stat(join(folder, name)));
          return size?.isFile() ? keptOf(name, size.size) : null;
        }),
      );
      return newestFirst(found.filter((kept) => kept !== null));
    },
    write: (name, source) => writeFile(folder, name, source),
    read: (name) => createReadStream(join(folder, name), { highWaterMark: READ_BYTES }),
    remove: (name) => unlink(join(folder, name)),
    abandon: (name) => rm(join(folder, `${name}${PARTIAL}`), { force: true }),
  };
}

function bucketPlace(
  bucket: string,
  prefix: string,
  { endpoint, region, accessKeyId, secretAccessKey }: S3Access,
): Place {
  const client = new Bun.S3Client({
    bucket,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(secretAccessKey !== undefined && { secretAccessKey }),
  });
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  return {
    address: `s3://${bucket}/${folder}`,
    list: async () => {
      const kept: Kept[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const { contents = [], isTruncated } = await client.list({
          prefix: folder,
          ...(after && { startAfter: after }),
        });
        for (const { key, size } of contents) {
          const found = keptOf(key.slice(folder.length), size ?? 0);
          if (found) kept.push(found);
          after = key;
        }
        more = isTruncated === true && contents.length > 0;
      }
      return newestFirst(kept);
    },
    // An upload in parts becomes an object when it is ended, with an error too.
    write: async (name, source) => {
      const file = client.file(folder + name);
      const writer = file.writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 });
      let bytes = 0;
      try {
        for await (const chunk of source) {
          await writer.write(chunk);
          bytes += chunk.byteLength;
        }
        await writer.end();
      } catch (error) {
        await Promise.resolve(writer.end(error instanceof Error ? error : new Error('cut off'))).catch(() => {});
        await file.delete().catch(() => {});
        throw error;
      }
      return bytes;
    },
    read: (name) => client.file(folder + name).stream(),
    remove: (name) => client.file(folder + name).delete(),
    // An upload that was not ended is no object.
    abandon: () => Promise.resolve(),
  };
}

/** What Bun's client says where it has no words. */
const UNSAID = 'an unexpected error has occurred';

/** An error of the bucket in words, with its code. */
function s3Problem(error: unknown, { endpoint }: S3Access): unknown {
  if (!(error instanceof Error && error.name === 'S3Error' && 'code' in error)) return error;
  const { code, message } = error;
  const silent = endpoint === undefined ? 'the bucket does not answer' : 'S3_ENDPOINT does not answer';
  return Object.assign(new Error(`${message === UNSAID ? silent : message} (${String(code)})`, { cause: error }), {
    code,
  });
}

/** The same place, whose errors are in words. */
function inWords(place: Place, s3: S3Access): Place {
  const said = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw s3Problem(error, s3);
    });
  return {
    ...place,
    list: () => said(place.list()),
    write: (name, source) => said(place.write(name, source)),
    read: async function* (name) {
      try {
        yield* place.read(name);
      } catch (error) {
        throw s3Problem(error, s3);
      }
    },
    remove: (name) => said(place.remove(name)),
  };
}

/** The place that a text names: `s3://bucket/prefix`, or a folder. Throws `BackupProblem`. */
export function openPlace(text: string, s3: S3Access): Place {
  if (!text.startsWith('s3://')) return folderPlace(resolve(text));
  const [, bucket, prefix = ''] = BUCKET.exec(text) ?? [];
  if (bucket === undefined) throw new BackupProblem(`${text} is not of the form s3://bucket/prefix`);
  return inWords(bucketPlace(bucket, prefix, s3), s3);
}
