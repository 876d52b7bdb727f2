// What a narrow or low window keeps from its reader: what sticks out at the side, what is cut off, what cannot be got at.
import type { Page } from 'playwright-core';

/** What sticks out of the page to its side. */
export const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const all = [...document.querySelectorAll('#app *')].filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      return left < -1 || right > clientWidth + 1;
    });
    return all.map((each) => `${each.tagName} ${each.className}: ${each.textContent?.slice(0, 40)}`);
  });

/** Texts of which a part is cut off, without an ellipsis that says so. */
export const cut = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#app *')]
      .filter((each) => {
        const { overflowX, overflowY, textOverflow, clipPath } = getComputedStyle(each);
        if (clipPath !== 'none' || !each.checkVisibility() || (each.textContent ?? '').trim() === '') return false;
        const wide = overflowX === 'hidden' && textOverflow !== 'ellipsis' && each.scrollWidth > each.clientWidth + 1;
        const long = overflowY === 'hidden' && each.scrollHeight > each.clientHeight + 1;
        return wide || long;
      })
      .map((each) => `${each.tagName} ${each.className}: ${each.textContent?.slice(0, 40)}`),
  );

/** What can be pressed or filled in, and lies under something else where it has the focus (WCAG 2.2, 2.4.11). */
export const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pressed = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
    const wrong: string[] = [];
    const within = document.querySelector('dialog[open]') ?? document.body;
    for (const each of within.querySelectorAll<HTMLElement>(pressed)) {
      if (!each.checkVisibility({ visibilityProperty: true })) continue;
      each.focus();
      const { left, top, right, bottom } = each.getBoundingClientRect();
      const seen = Math.max(0, top);
      // A browser brings the first line of a long field into view.
      const y = each.tagName === 'TEXTAREA' ? seen + 12 : (seen + Math.min(innerHeight, bottom)) / 2;
      const x = (left + right) / 2;
      const found = document.elementFromPoint(x, y);
      if (!found || (!each.contains(found) && !found.contains(each)) || found === document.documentElement)
        wrong.push(
          `${each.tagName} ${each.className} "${each.textContent?.slice(0, 30)}" at ${Math.round(x)},${Math.round(y)} under ${found?.tagName} ${found?.className}`,
        );
    }
    return wrong;
  });

/** What stays in its place while the page scrolls, and so takes height from a low window. */
export const fixed = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#app :not(dialog)')]
      .filter((each) => getComputedStyle(each).position === 'fixed' && each.checkVisibility() && each.offsetHeight > 1)
      .map((each) => `${each.tagName} ${each.className}`),
  );
