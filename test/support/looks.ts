// How a page looks to those who use it: by light, by dark and on a phone, with a picture of each to look at.

import { expect } from 'bun:test';
import { join } from 'node:path';
import { barriers } from './barriers.ts';
import type { Visitor } from './browser.ts';
import { often } from './nightly.ts';

/** Where pictures of the app are kept, for people to look at: a nightly run makes them. */
export const PICTURES = often(0, 1) === 1 ? join(import.meta.dir, '../../dist/screenshots') : null;
const LOOKS = [
  ['light', 'light', 1280],
  ['dark', 'dark', 1280],
  ['phone', 'light', 360],
] as const;

/** Nothing on the page keeps anybody out, nothing sticks out at its side, and nothing hidden makes it longer than what is seen. */
export async function judgeLooks({ page }: Visitor, name: string): Promise<void> {
  for (const [look, colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    expect([name, look, await barriers(page)]).toEqual([name, look, []]);
    const { wide, long } = await page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
      const end = (document.querySelector('main')?.getBoundingClientRect().bottom ?? 0) + scrollY;
      return { wide: scrollWidth - clientWidth, long: scrollHeight - Math.max(end, clientHeight) };
    });
    expect([name, look, wide]).toEqual([name, look, 0]);
    expect(long).toBeLessThan(200);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${look}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 900 });
}
