// A letter of the outbox or a backup that meets a disk that is broken or full is refused by its reason and leaves nothing half-written;
// the same is done once the disk is whole.
import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskedFiles, MetFiles } from './files-job.ts';
import { answersOf, EIO, makeRecorder, NO_RECORDER } from './recorder.ts';
import { begin } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'meshwork-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(NO_RECORDER !== null).each([
  ['letter', /^the outbox cannot be written: (EIO|the disk is full)$/],
  ['backup', /no backup was made in \/.*: (EIO\b.*|the disk is full)$/],
] as const)('a %s', async (what, reason) => {
  const own = join(folder, what);
  mkdirSync(own);
  await begin(join(own, 'data'));
  const met: MetFiles[] = [];
  for await (const each of answersOf<MetFiles>('files-job.ts', makeRecorder(own), {
    what,
    folder: own,
  } satisfies AskedFiles))
    met.push(each);
  const refused = met.filter((each) => each.refused !== null);
  // Opening, writing and syncing, each by either error.
  expect(refused.length).toBeGreaterThanOrEqual(6);
  for (const { error, call, refused: why, left, later } of refused) {
    expect([call, why]).toEqual([call, expect.stringMatching(reason)]);
    expect([call, why?.includes('the disk is full')]).toEqual([call, error !== EIO]);
    expect([call, left.filter((name) => !later.includes(name))]).toEqual([call, []]);
    expect([call, later.length]).toEqual([call, 1]);
  }
  for (const { left } of met.filter((each) => each.refused === null)) expect(left).toHaveLength(1);
});
