// Takes a picture of a page: the clock stands, nothing moves, and the answers of the service are held back or fail where a state
// asks for it.
import { join } from 'node:path';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { openWindow, type Visitor } from '../support/browser.ts';
import { codeFor, START_MS } from '../support/testbed.ts';
import type { Look, Shot } from './pages.ts';
import type { Who, World } from './world.ts';

/** What is asked for before there is anything to show. */
const FIRST = /\/api\/(auth\/session|account$|agents(\?|$))/;
const REQUEST_ID = '0198aaaa-0000-7000-8000-000000000001';
const PATIENCE_MS = 8_000;

/** Letters that are the same on every machine. */
const LETTERS = join(
  import.meta.dir,
  '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);
const LETTERED =
  '@font-face{font-family:Letters;font-weight:100 900;font-display:block;src:url(letters.woff2)}:root{--font:Letters}';

/** The app as it is, but for its letters, which are otherwise those of the system. */
async function letter({ context }: Visitor): Promise<void> {
  await context.route('**/assets/letters.woff2', (route) => route.fulfill({ path: LETTERS }));
  await context.route('**/assets/app-*.css', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()) + LETTERED });
  });
}

/** Signs one person of the world in. */
async function signedIn(browser: Browser, world: World, who: Who): Promise<Visitor> {
  const email = world.emails[who];
  const visitor = await openWindow(browser, {
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
  });
  await visitor.context.clock.setFixedTime(START_MS);
  await letter(visitor);
  const { page } = visitor;
  await page.goto(`${world.url}/app/login`);
  await page.locator('input[type=email]').fill(email);
  await page.locator('form button[type=submit], form button').first().click();
  const code = page.locator('input[autocomplete=one-time-code]');
  await code.waitFor();
  await world.t.rest();
  await code.fill(codeFor(world.t, email));
  await page.locator('form:has(input[autocomplete=one-time-code]) button').first().click();
  await page.locator('#app main h1').waitFor();
  return visitor;
}

export interface Camera {
  /** The page of a picture, once it has drawn all that it asked for. */
  open(shot: Shot, look: Look): Promise<Page>;
  /** The picture, of the whole page or of what a window shows of it. */
  take(shot: Shot, look: Look, whole: boolean): Promise<Buffer>;
  /** Which browser it is, and how wide its letters are: pictures of others differ. */
  made_with(): Promise<{ readonly chromium: string; readonly letters: number }>;
  close(): Promise<void>;
}

function answered(route: Route, state: Shot['state']): Promise<void> {
  if (FIRST.test(route.request().url())) return route.continue();
  if (state === 'loading') return Promise.resolve();
  const json = { error: 'unprocessable', message: 'It cannot be read now.' };
  return route.fulfill({ status: 422, headers: { 'X-Request-Id': REQUEST_ID }, json });
}

/** Lets the page draw: what a frame measures, the next one lays out. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
  });
}

/** Waits until the page shows what it is meant to: what it asked for has been answered and drawn. */
async function settle(page: Page, state: Shot['state'], asked: ReadonlySet<Request>): Promise<void> {
  await page.locator('main h1').first().waitFor();
  if (state === 'loading')
    await page
      .locator('.skeleton')
      .first()
      .waitFor({ timeout: 3_000 })
      .catch(() => {});
  else
    await page
      .waitForFunction(() => document.querySelector('.skeleton') === null, null, { timeout: PATIENCE_MS })
      .catch(() => {});
  await page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
  );
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  // An answer that is drawn may ask for more.
  const ends_at = performance.now() + PATIENCE_MS;
  do await drawn(page);
  while (state !== 'loading' && asked.size > 0 && performance.now() < ends_at);
}

/** The requests of a page that wait for their answer; a stream has no end. */
function requestsOf(page: Page): ReadonlySet<Request> {
  const asked = new Set<Request>();
  const answered = (request: Request): boolean => asked.delete(request);
  page.on('request', (request) => !request.url().includes('/stream') && asked.add(request));
  page.on('requestfinished', answered);
  page.on('requestfailed', answered);
  return asked;
}

export async function openCamera(browser: Browser, world: World): Promise<Camera> {
  const windows = new Map<Who, { readonly page: Page; readonly asked: ReadonlySet<Request> }>();
  let at = '';
  const windowOf = async (who: Who) => {
    const known = windows.get(who);
    if (known) return known;
    const { page } = await signedIn(browser, world, who);
    const opened = { page, asked: requestsOf(page) };
    windows.set(who, opened);
    return opened;
  };
  const go = async (page: Page, { path, state }: Shot): Promise<void> => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (state === 'loading' || state === 'failed') await page.route(/\/api\//, (route) => answered(route, state));
    await page.goto(`${world.url}/app/${path}`);
  };
  const open: Camera['open'] = async (shot, look) => {
    const { page, asked } = await windowOf(shot.who);
    await page.emulateMedia({ colorScheme: look.scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: look.width, height: look.height });
    const place = `${shot.who} ${shot.path} ${shot.state}`;
    if (place !== at) await go(page, shot);
    at = place;
    await settle(page, shot.state, asked);
    return page;
  };
  return {
    open,
    take: async (shot, look, whole) =>
      (await open(shot, look)).screenshot({ fullPage: whole, animations: 'disabled', caret: 'hide' }),
    made_with: async () => {
      const { page } = await windowOf('full');
      const letters = await page.evaluate(() => {
        const pen = document.createElement('canvas').getContext('2d');
        if (pen) pen.font = `100px ${getComputedStyle(document.body).fontFamily}`;
        return Math.round(pen?.measureText('Matches & conversations 0123456789').width ?? 0);
      });
      return { chromium: browser.version().split('.')[0] ?? '', letters };
    },
    close: () => browser.close(),
  };
}
