// The web app as a person meets it for the first time: the binary serves it, a real browser that has kept nothing loads it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hasBrowser, openBrowser, openWindow, signIn } from '../support/browser.ts';
import { buildBinary, startBinary } from './binary.ts';
import type { Job, Row } from './job.ts';
import { median, spread } from './statistics.ts';

const BYTES_MAX = 150_000;
const INTERACTIVE_MAX_MS = 600;
/** From a press to its first answer on the screen, and to the content of the page that it leads to. */
const PRESS_MAX_MS = 100;
const PAGE_MAX_MS = 250;
const APP = 'app, first load';

/** What a browser has of a person who is signed in, without what it has loaded. */
type Known = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Load {
  /** A session's secret is replaced by each use, so the next window begins with what this one ends with. */
  readonly known: Known;
  /** Of everything that was loaded till then, as it came over the wire. */
  readonly bytes: number;
  /** From the address to the moment at which the heading stands, its buttons work, and the thread is free to hear them. */
  readonly interactive_ms: number;
}

/** Loads the start page in a window that has kept nothing. */
async function load(browser: Browser, url: string, known: Known): Promise<Load> {
  const { context, page } = await openWindow(browser, { storageState: known, serviceWorkers: 'block' });
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  await page.goto(`${url}/app`, { waitUntil: 'commit' });
  await page.waitForSelector('main h1');
  const interactive_ms = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
      }),
  );
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  const after = await context.storageState();
  await context.close();
  return { known: after, bytes, interactive_ms };
}

/** One page change, in milliseconds since the press. */
interface Change {
  readonly press_ms: number;
  readonly page_ms: number;
}

/** Presses each link of the navigation that is in sight, and waits for the content behind it. */
async function changePages(page: Page): Promise<Change[]> {
  const links = await page
    .locator('nav[aria-label=Main] a:visible')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  const changes: Change[] = [];
  for (const link of links.filter((each) => each !== null)) {
    changes.push(
      await page.evaluate(async (href) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
        const anchor = document.querySelector<HTMLAnchorElement>(`nav[aria-label=Main] a[href="${href}"]`);
        const began = performance.now();
        anchor?.click();
        while (anchor?.getAttribute('aria-current') !== 'page') await frame();
        const press_ms = performance.now() - began;
        while (document.querySelector('main h1') === null || document.querySelector('main .skeleton')) await frame();
        return { press_ms, page_ms: performance.now() - began };
      }, link),
    );
  }
  return changes;
}

function changeRows(changes: readonly Change[]): Row[] {
  return [
    ['app, press to its first answer', changes.map(({ press_ms }) => press_ms), PRESS_MAX_MS] as const,
    ['app, press to the content of another page', changes.map(({ page_ms }) => page_ms), PAGE_MAX_MS] as const,
  ].map(([job, times, max]) => {
    const { mid, min, max: most } = spread(times);
    return {
      job,
      ours: `${mid.toFixed(0)} ms (${min.toFixed(0)}–${most.toFixed(0)})`,
      target: `≤ ${max} ms`,
      met: mid <= max,
    };
  });
}

function rows(loads: readonly Load[]): Row[] {
  const bytes = median(loads.map((each) => each.bytes));
  const { mid, min, max } = spread(loads.map(({ interactive_ms }) => interactive_ms));
  return [
    { job: APP, ours: `${(bytes / 1_000).toFixed(0)} KB`, target: `< ${BYTES_MAX / 1_000} KB`, met: bytes < BYTES_MAX },
    {
      job: 'app, start page interactive',
      ours: `${mid.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`,
      target: `< ${INTERACTIVE_MAX_MS} ms`,
      met: mid < INTERACTIVE_MAX_MS,
    },
  ];
}

export const appJob: Job = {
  name: 'app',
  about: "what the web app's first load weighs, and how soon its start page, a press and another page answer",
  run: async (bench) => {
    if (!hasBrowser) return [{ job: APP, ours: 'no browser', target: `< ${BYTES_MAX / 1_000} KB`, met: null }];
    bench.progress(0, 'building the binary');
    await buildBinary();
    const data_dir = join(bench.folder, 'app');
    mkdirSync(data_dir);
    const { port } = await startBinary(bench, data_dir);
    const url = `http://127.0.0.1:${port}`;
    const browser = await openBrowser();
    bench.after(() => browser.close());
    const visitor = await openWindow(browser);
    await signIn({ url, data_dir }, visitor, 'ann@example.com');
    let known = await visitor.context.storageState();
    await visitor.context.close();
    const loads: Load[] = [];
    for (let round = 0; round < bench.effort.rounds; round++) {
      bench.progress(round / bench.effort.rounds, 'loading the app');
      const loaded = await load(browser, url, known);
      loads.push(loaded);
      known = loaded.known;
    }
    const { context, page } = await openWindow(browser, { storageState: known, serviceWorkers: 'block' });
    await page.goto(`${url}/app`);
    await page.waitForSelector('main h1');
    const changes: Change[] = [];
    for (let round = 0; round < bench.effort.rounds; round++) changes.push(...(await changePages(page)));
    await context.close();
    return [...rows(loads), ...changeRows(changes)];
  },
};
