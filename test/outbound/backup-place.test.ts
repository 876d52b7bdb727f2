// A bucket that cannot be used says why, in words and by the code.
import { afterAll, expect, test } from 'bun:test';
import { openPlace } from '../../src/outbound/backup/place.ts';

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
    await expect(place.write('a backup', some())).rejects.toThrow(words);
    await expect(Array.fromAsync(place.read('a backup'))).rejects.toThrow(words);
    await expect(place.remove('a backup')).rejects.toThrow(words);
  },
  60_000,
);
