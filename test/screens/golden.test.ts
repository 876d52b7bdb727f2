// What the app looks like, held to pictures that people have looked at: at most half a percent of a picture may differ. They are taken
// anew by UPDATE_GOLDEN=1, and looked at one by one before they are kept.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { type Camera, openCamera } from './camera.ts';
import { difference } from './compare.ts';
import { LOOKS, shotsOf } from './pages.ts';
import { openWorld, type World } from './world.ts';

const FOLDER = join(import.meta.dir, '../golden/screens');
const MADE_WITH = join(FOLDER, 'made-with.json');
const DIFFERS_MAX = 0.005;
const BYTES_MAX = 2_000_000;
const KEPT = [
  ...['home-filled', 'matches-filled', 'room-delivered', 'wallet-filled', 'onboarding-empty-no-agent', 'keys-filled'],
];
const UPDATES = process.env['UPDATE_GOLDEN'] === '1';
const pictures = (): string[] =>
  existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.png')) : [];

if (!UPDATES && pictures().length === 0) {
  console.warn('skipped: no pictures are kept yet; UPDATE_GOLDEN=1 takes them');
}

describe.skipIf(!hasBrowser || (!UPDATES && pictures().length === 0))('the app looks as it did', () => {
  let world: World;
  let camera: Camera;
  let comparable = false;

  beforeAll(async () => {
    world = await openWorld();
    camera = await openCamera(await openBrowser(), world);
    const now = await camera.made_with();
    if (UPDATES) {
      rmSync(FOLDER, { recursive: true, force: true });
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(MADE_WITH, `${JSON.stringify(now)}\n`);
    }
    comparable = Bun.deepEquals(await Bun.file(MADE_WITH).json(), now);
    if (!comparable)
      console.warn(
        `skipped: the pictures were made with another Chromium or other letters than ${JSON.stringify(now)}`,
      );
  });

  afterAll(async () => {
    await camera?.close();
    await world?.close();
  });

  test.each(KEPT)('%s', async (name) => {
    const shot = shotsOf(world).find((each) => each.name === name);
    if (!shot) throw new Error(`there is no page ${name}`);
    for (const look of LOOKS) {
      const file = join(FOLDER, `${name}-${look.name}.png`);
      const picture = await camera.take(shot, look, false);
      if (UPDATES) writeFileSync(file, picture);
      else if (comparable) {
        const { share } = difference(await Bun.file(file).bytes(), picture);
        expect([name, look.name, share <= DIFFERS_MAX ? 'the same' : share]).toEqual([name, look.name, 'the same']);
      }
    }
  });

  test('there are at most 24 of them, of two megabytes together', () => {
    expect(pictures().length).toBeLessThanOrEqual(24);
    const bytes = pictures().reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
    expect(bytes).toBeLessThan(BYTES_MAX);
  });
});
