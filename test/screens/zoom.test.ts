// Every page of the app in a window of 1280 by 1024 at 400 % (WCAG 2.2, 1.4.10): 320 by 256 px. Nothing sticks out, nothing is cut off,
// and whatever can be pressed can be got at; in each language, with long texts, and from right to left. On a tablet nothing sticks out either.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { covered, cut, fixed, outside } from '../support/reflow.ts';
import { type Camera, openCamera } from './camera.ts';
import { type Look, shotsOf } from './pages.ts';
import { openWorld, type World } from './world.ts';

const ZOOMED = { name: 'zoomed', scheme: 'light', width: 320, height: 256 } as const;
const PHONE = { name: 'phone', scheme: 'light', width: 390, height: 844 } as const;
/** Just beyond the two widths at which the layout changes. */
const TABLETS = [780, 1000];

describe.skipIf(!hasBrowser)('at 400 % every page is whole', () => {
  let world: World;
  let camera: Camera;

  beforeAll(async () => {
    world = await openWorld();
    camera = await openCamera(await openBrowser(), world);
  });

  afterAll(async () => {
    await camera?.close();
    await world?.close();
  });

  const wrongOf = async (page: Page): Promise<string[]> => [
    ...(await outside(page)).map((each) => `outside: ${each}`),
    ...(await cut(page)).map((each) => `cut: ${each}`),
    ...(await covered(page)).map((each) => `covered: ${each}`),
    ...(await fixed(page)).map((each) => `fixed: ${each}`),
  ];

  test('in English, and on a phone nothing lies under the tabs', async () => {
    const wrong: Record<string, string[]> = {};
    for (const shot of shotsOf(world).filter(({ state }) => state === 'filled' || state === 'empty')) {
      const found = await wrongOf(await camera.open(shot, ZOOMED));
      found.push(...(await covered(await camera.open(shot, PHONE))).map((each) => `on a phone: ${each}`));
      if (found.length > 0) wrong[shot.name] = found;
    }
    expect(wrong).toEqual({});
  });

  test('the question before something final fits, and can be answered', async () => {
    const shot = shotsOf(world).find(({ name }) => name === 'room-delivered');
    if (!shot) throw new Error('there is no such page');
    const page = await camera.open(shot, ZOOMED);
    await page.getByRole('button', { name: 'Refund the buyer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await wrongOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  // What a tab was told to show it shows from then on.
  test.each([
    ['in German', 'de', ['ltr']],
    ['in long texts, from right to left and from left to right', 'rtl', ['rtl', 'ltr']],
  ] as const)('%s', async (_, locale, directions) => {
    const wrong: Record<string, string[]> = {};
    for (const shot of shotsOf(world).filter(({ state }) => state === 'filled')) {
      const there = { ...shot, path: `${shot.path}?locale=${locale}` };
      const found: string[] = [];
      for (const direction of directions) {
        const open = async (look: Look): Promise<Page> => {
          const page = await camera.open(there, look);
          await page.evaluate((dir) => {
            document.documentElement.dir = dir;
          }, direction);
          return page;
        };
        found.push(...(await wrongOf(await open(ZOOMED))).map((each) => `${direction}, ${each}`));
        for (const width of TABLETS) {
          const page = await open({ ...ZOOMED, width, height: 800 });
          found.push(...(await outside(page)).map((each) => `${direction}, outside at ${width}: ${each}`));
        }
      }
      if (found.length > 0) wrong[shot.name] = found;
    }
    expect(wrong).toEqual({});
  });
});
