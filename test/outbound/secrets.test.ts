// Guards secrets.ts: generated once, the same ever after, closed to others, whole under a race, loud when damaged.

import { afterEach, describe, expect, test } from 'bun:test';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets } from '../../src/outbound/secrets.ts';

const made: string[] = [];
async function emptyDir(): Promise<string> {
  const dir = join(await mkdtemp(join(tmpdir(), 'secrets-')), 'deep', 'data');
  made.push(join(dir, '../..'));
  return dir;
}
afterEach(async () => {
  await Promise.all(made.splice(0).map((dir) => rm(dir, { recursive: true })));
});
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('secrets', () => {
  test('are made once, closed to others, and read the same ever after', async () => {
    const dir = await emptyDir();
    const secrets = await loadSecrets(dir);
    const again = await loadSecrets(dir);
    expect([again.internalToken, again.sealKey, again.sessionKeys[0]?.kid]).toEqual([
      secrets.internalToken,
      secrets.sealKey,
      secrets.sessionKeys[0]?.kid,
    ]);
    expect(await readFile(join(dir, 'internal-token'), 'utf8')).toBe(`${secrets.internalToken}\n`);
    expect(await modeOf(dir)).toBe(0o700);
    const files = (await readdir(dir)).sort();
    expect(files).toEqual([
      'card-key.json',
      'document-key.json',
      'internal-token',
      'push-key.json',
      'seal-key',
      'session-key.json',
    ]);
    for (const file of files) expect(await modeOf(join(dir, file))).toBe(0o600);
  });

  test('of processes that start together are the same', async () => {
    const dir = await emptyDir();
    const all = await Promise.all(Array.from({ length: 8 }, () => loadSecrets(dir)));
    expect(new Set(all.map((s) => s.internalToken)).size).toBe(1);
    expect(new Set(all.map((s) => Buffer.from(s.sealKey).toString('hex'))).size).toBe(1);
    expect(new Set(all.map((s) => s.sessionKeys[0]?.kid)).size).toBe(1);
    expect(await readdir(dir)).toHaveLength(6);
  });

  test('with wide modes, as from a restored backup, are closed again', async () => {
    const dir = await emptyDir();
    await loadSecrets(dir);
    await chmod(dir, 0o755);
    await chmod(join(dir, 'seal-key'), 0o644);
    await loadSecrets(dir);
    expect([await modeOf(dir), await modeOf(join(dir, 'seal-key'))]).toEqual([0o700, 0o600]);
  });

  test('a configured internal token makes no file and may be short', async () => {
    const dir = await emptyDir();
    const given = 'short';
    expect((await loadSecrets(dir, given)).internalToken).toBe(given);
    expect((await readdir(dir)).sort()).toEqual([
      'card-key.json',
      'document-key.json',
      'push-key.json',
      'seal-key',
      'session-key.json',
    ]);
  });

  test('a damaged file stops the start by its name instead of being replaced', async () => {
    const dir = await emptyDir();
    await loadSecrets(dir);
    for (const file of [
      'card-key.json',
      'document-key.json',
      'internal-token',
      'push-key.json',
      'seal-key',
      'session-key.json',
    ]) {
      const whole = await readFile(join(dir, file), 'utf8');
      await writeFile(join(dir, file), whole.slice(0, 9));
      await expect(loadSecrets(dir)).rejects.toThrow(file);
      expect(await readFile(join(dir, file), 'utf8')).toBe(whole.slice(0, 9));
      await writeFile(join(dir, file), whole);
    }
  });
});
