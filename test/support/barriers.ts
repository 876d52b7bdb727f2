// What a page keeps from those who hear it, type it or choose its colours themselves, as axe finds it.
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const AXE = join(import.meta.dir, '../../node_modules/axe-core/axe.min.js');

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What is serious of what those who hear or type a page cannot use. */
export async function barriers(page: Page): Promise<string[]> {
  // The page's own policy keeps scripts out that are put into it; the browser's own way does not ask it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await Bun.file(AXE).text());
  const found: readonly Finding[] = await page.evaluate('axe.run().then(({ violations }) => violations)');
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** The same of a page whose scripts are off, where axe cannot run: what it looks like is judged beside it, in a window that has them. */
export async function barriersWithoutScript(page: Page): Promise<string[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page is in no browser');
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const judge = await browser.newPage({ viewport: page.viewportSize(), colorScheme: dark ? 'dark' : 'light' });
  await judge.setContent(await page.content());
  const found = await barriers(judge);
  await judge.close();
  return found;
}

/** Where colours are the reader's own, nothing but a border shows where a button or a field ends: those that have none. */
export async function borderless(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const bare = await page
    // Boxes to check are drawn by the browser, which knows the colours.
    .locator('button:visible, a.button:visible, input:not([type=checkbox], [type=radio]):visible, select:visible')
    .evaluateAll((all) =>
      all
        .filter((each) => {
          const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(each);
          return borderTopStyle === 'none' || borderTopWidth === '0px' || borderTopColor === backgroundColor;
        })
        .map(({ outerHTML }) => outerHTML),
    );
  await page.emulateMedia({ forcedColors: 'none' });
  return bare;
}
