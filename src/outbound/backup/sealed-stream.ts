// Encrypts a stream under a passphrase: scrypt, then AES-256-GCM in blocks that are numbered and whose last one is marked, so that blocks
// that are changed, moved or cut off are noticed.
import { createCipheriv, createDecipheriv, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { BackupLocked, BackupProblem } from './problem.ts';

const MAGIC = Buffer.from('MESHWORK-BACKUP-1\n');
const SALT_BYTES = 32;
const KEY_BYTES = 32;
const CHECK_BYTES = 16;
const HEAD_BYTES = MAGIC.length + SALT_BYTES + CHECK_BYTES;
const BLOCK_BYTES = 65_536;
const TAG_BYTES = 16;
/** 128 MiB and some tenths of a second for each guess. */
const COST = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 };

type Bytes = AsyncIterable<Uint8Array>;

interface Key {
  readonly key: Buffer;
  /** Distinguishes a wrong passphrase from a damaged file. */
  readonly check: Buffer;
}

function keyOf(passphrase: string, salt: Uint8Array): Promise<Key> {
  const { promise, resolve, reject } = Promise.withResolvers<Key>();
  scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, COST, (error, made) => {
    if (error) reject(error);
    else resolve({ key: made.subarray(0, KEY_BYTES), check: made.subarray(KEY_BYTES) });
  });
  return promise;
}

/** The key is this file's alone, so that a block's number is nonce enough. */
function nonceOf(block: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(block, 0, 6);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
}

/** Splits bytes into blocks; the last one is the rest, possibly empty. */
async function* blocksOf(source: Bytes, size: number): AsyncGenerator<{ bytes: Buffer; last: boolean }> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    rest.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    length += bytes.byteLength;
    if (length <= size) continue;
    const all = Buffer.concat(rest);
    let at = 0;
    for (; all.length - at > size; at += size) yield { bytes: all.subarray(at, at + size), last: false };
    rest = [all.subarray(at)];
    length = all.length - at;
  }
  yield { bytes: Buffer.concat(rest), last: true };
}

/** The stream, encrypted. */
export function seal(passphrase: string): (source: Bytes) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    const salt = randomBytes(SALT_BYTES);
    const { key, check } = await keyOf(passphrase, salt);
    yield Buffer.concat([MAGIC, salt, check]);
    let n = 0;
    for await (const { bytes, last } of blocksOf(source, BLOCK_BYTES)) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(n, last));
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
      n += 1;
    }
  };
}

function openBlock(key: Buffer, bytes: Buffer, nonce: Buffer): Buffer {
  const damaged = 'the file is damaged or was cut short';
  if (bytes.length < TAG_BYTES) throw new BackupProblem(damaged);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)), decipher.final()]);
  } catch {
    throw new BackupProblem(damaged);
  }
}

/** The first bytes of a stream, and what follows them. */
async function headOf(source: AsyncIterator<Uint8Array>, size: number): Promise<{ head: Buffer; rest: Buffer }> {
  let all = Buffer.alloc(0);
  while (all.length < size) {
    const { value, done } = await source.next();
    if (done) break;
    all = Buffer.concat([all, value]);
  }
  return { head: all.subarray(0, size), rest: all.subarray(size) };
}

async function* joined(rest: Buffer, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield rest;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}

/** The stream as it was before `seal`; one that was not sealed passes as it is. Throws `BackupProblem`. */
export function unseal(passphrase: string | undefined): (source: Bytes) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    const read = source[Symbol.asyncIterator]();
    const { head, rest } = await headOf(read, HEAD_BYTES);
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return yield* joined(Buffer.concat([head, rest]), read);
    if (passphrase === undefined) throw new BackupLocked('it is encrypted, and BACKUP_PASSPHRASE is not set');
    if (head.length < HEAD_BYTES) throw new BackupProblem('the file is damaged or was cut short');
    const { key, check } = await keyOf(passphrase, head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES));
    if (!timingSafeEqual(check, head.subarray(MAGIC.length + SALT_BYTES)))
      throw new BackupLocked('it was encrypted with another BACKUP_PASSPHRASE');
    let n = 0;
    for await (const { bytes, last } of blocksOf(joined(rest, read), BLOCK_BYTES + TAG_BYTES)) {
      yield openBlock(key, bytes, nonceOf(n, last));
      n += 1;
    }
  };
}
