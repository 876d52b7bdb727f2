// The data directory belongs to one process at a time.
import { expect, test } from 'bun:test';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOCK = join(import.meta.dir, '../../db/sqlite/lock.ts');

function holder(dir: string): ReturnType<typeof Bun.spawn> {
  const program = `import { lockDataDir } from ${JSON.stringify(LOCK)};
    try { lockDataDir(${JSON.stringify(dir)}); console.log('held'); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.message); }`;
  return Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'ignore' });
}

async function firstLine(process: ReturnType<typeof Bun.spawn>): Promise<string> {
  if (!(process.stdout instanceof ReadableStream)) throw new Error('no output');
  const reader = process.stdout.getReader();
  const { value } = await reader.read();
  return new TextDecoder().decode(value).trim();
}

test('a second process is refused with a clear line, and kill -9 of the first frees the directory', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'meshwork-lock-'));
  const first = holder(dir);
  expect(await firstLine(first)).toBe('held');
  expect(await firstLine(holder(dir))).toContain('another process uses');
  first.kill('SIGKILL');
  await first.exited;
  const third = holder(dir);
  expect(await firstLine(third)).toBe('held');
  third.kill('SIGKILL');
});
