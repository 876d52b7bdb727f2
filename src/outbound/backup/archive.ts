// The form of a backup: a tar of plain files, the manifest first, compressed with zstd. `tar --zstd -xf` unpacks one that is not
// encrypted.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupProblem } from './problem.ts';

const BLOCK = 512;
const MANIFEST = 'manifest.json';
/** Above this a manifest is none of ours. */
const MANIFEST_MAX = 1_048_576;
/** Sizes from here on do not fit in the octal digits of the form. */
const OCTAL_MAX = 8 ** 11;
const READ_BYTES = 1_048_576;
/** The offsets of header fields (POSIX.1, pax, ustar). */
const [SIZE_AT, SUM_AT] = [124, 148];

/** A file of the archive, whose size is known before it is written. */
export interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;

function headerOf(name: string, bytes: number, at_ms: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8), 100);
  if (bytes < OCTAL_MAX) header.write(octal(bytes, 12), SIZE_AT);
  else {
    header.writeUInt8(0x80, SIZE_AT);
    header.writeBigUInt64BE(BigInt(bytes), SIZE_AT + 4);
  }
  header.write(octal(Math.floor(at_ms / 1_000), 12), 136);
  header.write('        0', SUM_AT);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, SUM_AT);
  return header;
}

function sizeIn(header: Buffer): number {
  const size =
    header.readUInt8(SIZE_AT) === 0x80
      ? Number(header.readBigUInt64BE(SIZE_AT + 4))
      : Number.parseInt(header.toString('latin1', SIZE_AT, SIZE_AT + 11), 8);
  if (!Number.isSafeInteger(size)) throw new BackupProblem('it is no backup of Meshwork');
  return size;
}

const padding = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK;

/** The size and the checksum of a file. */
export async function partOf(folder: string, name: string): Promise<Part> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(join(folder, name), { highWaterMark: READ_BYTES })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

/** The archive of some files of a folder. */
export async function* pack(
  manifest: object,
  folder: string,
  parts: readonly Part[],
  at_ms: number,
): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield headerOf(MANIFEST, text.length, at_ms);
  yield Buffer.concat([text, Buffer.alloc(padding(text.length))]);
  for (const { name, bytes } of parts) {
    yield headerOf(name, bytes, at_ms);
    yield* createReadStream(join(folder, name), { highWaterMark: READ_BYTES });
    yield Buffer.alloc(padding(bytes));
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Takes bytes from a stream by their number. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At most `most` bytes, at least one. */
  async some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#source.next();
      if (done) throw new BackupProblem('the file is damaged or was cut short');
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  async exactly(size: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for (let left = size; left > 0; ) {
      const bytes = await this.some(left);
      taken.push(bytes);
      left -= bytes.length;
    }
    return Buffer.concat(taken);
  }

  /** Reads the rest, so that its end is verified too. */
  async drain(): Promise<void> {
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next());
  }
}

async function writeOut(
  reader: ByteReader,
  file: FileHandle,
  { name, bytes, sha256 }: Part,
  durable: boolean,
): Promise<void> {
  const hash = createHash('sha256');
  for (let left = bytes; left > 0; ) {
    const some = await reader.some(left);
    hash.update(some);
    await file.writeFile(some);
    left -= some.length;
  }
  await reader.exactly(padding(bytes));
  if (hash.digest('hex') !== sha256)
    throw new BackupProblem(`${name} in it is not what was put in: the file is damaged`);
  if (durable) await file.sync();
}

/** Puts the files of an archive into a folder. `accept` is given the manifest before anything is written, answers its parts, or throws. `durable` waits
 * for the disk. */
export async function unpack(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  accept: (manifest: unknown) => readonly Part[],
  durable: boolean,
): Promise<void> {
  const reader = new ByteReader(source);
  const nameIn = (header: Buffer): string => header.toString('latin1', 0, header.indexOf(0));
  const head = await reader.exactly(BLOCK);
  const size = sizeIn(head);
  if (nameIn(head) !== MANIFEST || size > MANIFEST_MAX) throw new BackupProblem('it is no backup of Meshwork');
  const text = (await reader.exactly(size)).toString();
  await reader.exactly(padding(size));
  for (const part of accept(JSON.parse(text))) {
    const header = await reader.exactly(BLOCK);
    if (nameIn(header) !== part.name || sizeIn(header) !== part.bytes)
      throw new BackupProblem('the file is damaged: its parts are not those that it lists');
    const file = await open(join(folder, part.name), 'wx', 0o600);
    try {
      await writeOut(reader, file, part, durable);
    } finally {
      await file.close();
    }
  }
  await reader.drain();
}
