// A bucket that cannot be used says why, in words and by the code; a folder keeps what another write made.
import { afterAll, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupsIn } from '../../src/compose/backup/unpack.ts';
import { openPlace } from '../../src/outbound/backup/place.ts';
import { syncFolder } from '../../src/outbound/sync-folder.ts';

const refusing = Bun.serve({
  port: 0,
  fetch: () =>
    new Response('<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>', { status: 403 }),
});
afterAll(() => refusing.stop(true));

async function* some(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(10);
}

test.each([
  ['http://127.0.0.1:9', 'S3_ENDPOINT does not answer (ConnectionRefused)'],
  [`http://127.0.0.1:${refusing.port}`, 'Access Denied. (AccessDenied)'],
])(
  '%s',
  async (endpoint, words) => {
    const access = { endpoint, region: undefined, accessKeyId: 'a', secretAccessKey: 'b' };
    const place = openPlace('s3://mesh/kept', access);
    await expect(place.list()).rejects.toThrow(words);
    await expect(backupsIn(place)).rejects.toThrow(`s3://mesh/kept/ cannot be read: ${words}`);
    await expect(place.write('a backup', some())).rejects.toThrow(words);
    await expect(Array.fromAsync(place.read('a backup'))).rejects.toThrow(words);
    await expect(place.remove('a backup')).rejects.toThrow(words);
  },
  60_000,
);

test('a write that fails says why, and removes its own draft alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'place-'));
  const none = { endpoint: undefined, region: undefined, accessKeyId: undefined, secretAccessKey: undefined };
  const place = openPlace(folder, none);
  const name = 'meshwork-2031-05-06T12-00-00-000Z.tar.zst';
  await place.write(name, some());
  const cut = async function* (): AsyncGenerator<Uint8Array> {
    yield* some();
    throw new Error('the disk of the source is gone');
  };
  await expect(place.write(name, cut())).rejects.toThrow('the disk of the source is gone');
  expect(await readdir(folder)).toEqual([name]);
  await rm(folder, { recursive: true });
});

test('a folder of a file system that has no sync of folders is passed over, one that is missing is not', async () => {
  // The kernel answers EINVAL there.
  await syncFolder('/proc');
  await expect(syncFolder('/proc/missing')).rejects.toThrow('ENOENT');
});
