// The pages of people in a real browser: signing in by keyboard alone, by code and by a mailed link, letting a program in, claiming an
// agent; by light and by dark, on a phone too. Scripts are off but for the mailed link, which alone needs one.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { barriersWithoutScript, borderless } from '../support/barriers.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor } from '../support/testbed.ts';

/** What a thumb finds. */
const TARGET_PX = 44;
const LOOKS = [
  ['light', 1280],
  ['dark', 360],
] as const;

const t = sharedService();
let ada: TestAgent;
let browser: Browser | null = null;
let served: ReturnType<typeof Bun.serve> | null = null;
const complaints: string[] = [];

beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
  if (!hasBrowser) return;
  served = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => t.fetch(request) });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.stop(true);
});

const at = (path: string): string => new URL(path, served?.url).href;

async function open(look: 'light' | 'dark', width: number, javaScriptEnabled = false): Promise<Page> {
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext({ colorScheme: look, viewport: { width, height: 740 }, javaScriptEnabled });
  const page = await context.newPage();
  page.on('console', (message) => {
    // A page that says no is told of as one; the app behind the last step is another's.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return page;
}

/** No wider than the screen, nothing too small to touch or without an edge, a heading, a name for each field, nothing that axe finds. */
async function isUsable(page: Page, name: string): Promise<void> {
  const shots = process.env['PAGE_SHOTS'];
  const { width = 0 } = page.viewportSize() ?? {};
  if (shots) await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true });
  const main = await page.locator('main').boundingBox();
  expect([name, (main?.x ?? -1) >= 0, (main?.x ?? 0) + (main?.width ?? 0) <= width]).toEqual([name, true, true]);
  expect([name, await page.locator('h1').count()]).toEqual([name, 1]);
  for (const target of await page.locator('button:visible, a.button:visible, input:visible, select:visible').all()) {
    const box = await target.boundingBox();
    expect([name, (box?.height ?? 0) >= TARGET_PX, (box?.width ?? 0) >= TARGET_PX]).toEqual([name, true, true]);
    expect([name, (box?.x ?? 0) + (box?.width ?? 0) <= width]).toEqual([name, true]);
  }
  for (const field of await page.locator('input:visible, select:visible').all()) {
    const id = await field.getAttribute('id');
    expect([name, id, await page.locator(`label[for="${id}"]`).count()]).toEqual([name, id, 1]);
  }
  expect([name, await barriersWithoutScript(page), await borderless(page)]).toEqual([name, [], []]);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Mail me a code' }).click();
  await page.getByLabel('Code').waitFor();
  await page.getByLabel('Code').fill(codeFor(t, email));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('a person signs in with nothing but a keyboard and no script', async () => {
    for (const [look, width] of LOOKS) {
      const page = await open(look, width);
      await page.goto(at('/'));
      await isUsable(page, 'front');
      await page.goto(at('/app/login?next=%2Fapp%2Fdevice'));
      await isUsable(page, 'sign-in');
      // The field has the focus already; Enter sends the form by its first button.
      await page.keyboard.type('keys@example.org');
      await page.keyboard.press('Enter');
      await page.getByLabel('Code').waitFor();
      await isUsable(page, 'code');
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await isUsable(page, 'wrong-code');
      await page.keyboard.type(codeFor(t, 'keys@example.org'));
      await page.keyboard.press('Enter');
      await page.waitForURL(at('/app/device'));
      await page.goto(at('/app/login'));
      await isUsable(page, 'signed-in');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Email address').waitFor();
      await page.context().close();
    }
  }, 600_000);

  test('a mailed link signs in by one click, and nothing keeps its token', async () => {
    const page = await open('light', 360, true);
    await t.call('POST', '/api/auth/session/link', { body: { email: ada.email, next: '/app/device' } });
    await t.advance(0);
    const link = t.mails.at(-1)?.text.match(/http:\/\/localhost(\/app\/login#token=\S+)$/m)?.[1] ?? '';
    await page.goto(at(link));
    await page.getByRole('button', { name: 'Finish signing in' }).waitFor();
    expect(page.url()).toBe(at('/app/login'));
    await isUsable(page, 'link');
    await page.getByRole('button', { name: 'Finish signing in' }).click();
    await page.waitForURL(at('/app/device'));
    await page.context().close();
  }, 600_000);

  test('a person lets a program in by its code', async () => {
    for (const [look, width] of LOOKS) {
      const page = await open(look, width);
      const begun = await t.call('POST', '/api/auth/device/code', { body: { client_name: 'A program '.repeat(20) } });
      await page.goto(at('/app/device'));
      await signIn(page, ada.email);
      await isUsable(page, 'device');
      await page.getByLabel('Code').fill(begun.body.user_code.toLowerCase());
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Let this program in?' }).waitFor();
      await isUsable(page, 'device-consent');
      await page.getByRole('button', { name: 'Let it in' }).click();
      await page.getByRole('status').waitFor();
      await isUsable(page, 'device-done');
      const got = await t.call('POST', '/api/auth/device/token', { body: { device_code: begun.body.device_code } });
      expect(got.body.api_key).toStartWith('mesh_live_');
      await page.context().close();
    }
  }, 600_000);

  test('a person claims an agent that was set up without them, and reads its public page', async () => {
    for (const [look, width] of LOOKS) {
      const page = await open(look, width);
      const install_id = `browser-${width}-`.padEnd(40, 'x');
      const { body } = await t.call('POST', '/api/auth/provision', { body: { install_id } });
      const asked = { key: body.api_key, body: { purpose: 'onboarding' } };
      const { url } = (await t.call('POST', '/api/handoff/link', asked)).body;
      await page.goto(at(new URL(url).pathname));
      await isUsable(page, 'handoff');
      await page.getByRole('link', { name: 'Sign in to go on' }).click();
      await signIn(page, `claimer${width}@example.org`);
      await page.getByRole('button', { name: 'It is mine' }).click();
      await page.getByRole('status').waitFor();
      await isUsable(page, 'claimed');
      const { api_key } = (await t.call('POST', '/api/auth/provision/successor', { key: body.api_key, body: {} })).body;
      await t.call('PATCH', `/api/agents/${body.handle}`, { key: api_key, body: { visibility: 'listed' } });
      await page.goto(at(`/u/${body.handle}`));
      await isUsable(page, 'profile');
      await page.goto(at(`/app/proofs?agent=${body.handle}`));
      await isUsable(page, 'proofs');
      await page.goto(at('/u/nobody_there'));
      await isUsable(page, 'absent');
      await page.context().close();
    }
  }, 600_000);

  test('no page complained', () => {
    expect(complaints).toEqual([]);
  });
});
