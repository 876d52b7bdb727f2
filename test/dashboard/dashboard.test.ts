// The web app in a real browser: it comes from this service alone, is small, complains of nothing, can be used by everybody, and
// leads whoever is not signed in to sign in and back.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { INSTANCE } from '../../src/domain/instance.ts';
import { lookOf, tokenSheet } from '../../src/domain/look.ts';
import { registry } from '../../src/operations/registry.ts';
import { dashboardBundle } from '../../src/transports/dashboard/bundle.ts';
import { dashboardRoutes } from '../../src/transports/dashboard/routes.ts';
import type { DoorPorts } from '../../src/transports/door-ports.ts';
import { barriers, borderless } from '../support/barriers.ts';
import { callAs, hasBrowser, openBrowser, openWindow, signIn, type Visitor } from '../support/browser.ts';
import { PICTURES } from '../support/looks.ts';
import { outside } from '../support/reflow.ts';
import { sharedServer } from '../support/shared-server.ts';

const BYTES_MAX = 150_000;

/** Every screen by its path, and how its heading reads. */
const SCREENS = [
  ['/app', 'Home'],
  ['/app/onboarding', 'Get started'],
  ['/app/agents', 'Agents'],
  ['/app/agents/new', 'Create an agent'],
  ['/app/agents/ann_sails', 'Ann'],
  ['/app/people', 'Directory'],
  ['/app/people/ann_sails', 'Ann'],
  ['/app/market', 'Marketplace'],
  ['/app/market/selling', 'My services'],
  ['/app/market/selling/new', 'Offer a service'],
  ['/app/market/earnings', 'Earnings'],
  ['/app/demand', 'Requests'],
  ['/app/calls', 'Calls'],
  ['/app/listings', 'Listings'],
  ['/app/listings/new', 'New listing'],
  ['/app/knowledge', 'Knowledge'],
  ['/app/analytics', 'Analytics'],
  ['/app/matches', 'Matches'],
  ['/app/conversations', 'Conversations'],
  ['/app/activity', 'Activity'],
  ['/app/wallet', 'Wallet'],
  ['/app/deals', 'Deals'],
  ['/app/escrows', 'Escrows'],
  ['/app/subscriptions', 'Subscriptions'],
  ['/app/payouts', 'Payouts'],
  ['/app/billing', 'Plan and usage'],
  ['/app/trust', 'Verifications'],
  ['/app/webhooks', 'Webhooks'],
  ['/app/keys', 'Keys'],
  ['/app/passkeys', 'Passkeys'],
  ['/app/account', 'Account'],
  ['/app/account/notifications', 'Notifications'],
] as const;

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 900 };

/** What people look at most; a nightly run leaves pictures of these. */
const MAIN = SCREENS.filter(([path]) =>
  /^\/app(\/(onboarding|agents|market|listings|matches|activity|wallet|escrows|account))?$/.test(path),
);

const server = sharedServer();

describe('what is fetched', () => {
  test('is less than 150 KB compressed', async () => {
    const { script, style, parts, first } = await dashboardBundle(registry());
    const needed = [script, style, ...parts.filter(({ name }) => first.includes(name))];
    const texts = [tokenSheet(lookOf(INSTANCE.color)), ...needed.map(({ text }) => text)];
    expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThan(BYTES_MAX);
  });

  test('an app with a host of its own serves every screen', async () => {
    const settings = { app_url: 'https://app.example.com', instance: INSTANCE } as DoorPorts['settings'];
    const served = new Set(
      dashboardRoutes({ operations: registry(), settings }, { secure: true }).map(({ path }) => path),
    );
    const screens = await Bun.file(join(import.meta.dir, '../../src/dashboard/app.tsx')).text();
    const paths = [...screens.matchAll(/^ {4}\['(\/[a-z]+)/gm)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !served.has(path))).toEqual([]);
  });

  test('the page goes to nobody who is not signed in, and says where to sign in', async () => {
    const answer = await fetch(`${server.url}/app/wallet?agent=ann`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/app/login?next=${encodeURIComponent('/app/wallet?agent=ann')}`,
    ]);
  });

  test('the policy lets in nothing but our own, and no text become a script', async () => {
    const cookie = `meshwork_page=${'a'.repeat(40)}.${'b'.repeat(43)}`;
    const answer = await fetch(`${server.url}/app`, { headers: { Cookie: cookie } });
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    const html = await answer.text();
    for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^(\/app\/)/);
  });

  test('files are kept for good, and one of another version is none', async () => {
    const { script } = await dashboardBundle(registry());
    const answer = await fetch(`${server.url}/app/assets/${script.name}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await fetch(`${server.url}/app/assets/app-older.js`)).status).toBe(404);
  });
});

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  let visitor: Visitor;

  const show = async (path: string, heading: string): Promise<void> => {
    await visitor.page.goto(`${server.url}${path}`);
    await visitor.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await visitor.page.waitForLoadState('load');
    await visitor.page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };

  beforeAll(async () => {
    browser = await openBrowser();
    visitor = await openWindow(browser, { viewport: DESK });
    await signIn(server, visitor, 'ann@example.com', '/app/onboarding');
    const body = { handle: 'ann_sails', display_name: 'Ann', headline: 'Sails and lines' };
    await callAs(visitor, 'POST', '/api/agents', body);
  });

  afterAll(() => browser?.close());

  test.each(SCREENS)('%s stands without a complaint, for everybody, on a desk and a phone', async (path, heading) => {
    visitor.complaints.length = 0;
    await show(path, heading);
    for (const viewport of [PHONE, DESK]) {
      await visitor.page.setViewportSize(viewport);
      expect(await barriers(visitor.page)).toEqual([]);
      expect(await outside(visitor.page)).toEqual([]);
    }
    expect(await borderless(visitor.page)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test('the ten main screens have a paper for light and one for dark, on a desk and a phone', async () => {
    const { page } = visitor;
    expect(MAIN.length).toBe(10);
    for (const [path, heading] of MAIN) {
      await show(path, heading);
      for (const [size, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
        await page.setViewportSize(viewport);
        const papers = new Set<string>();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
          const name = path.slice(1).replaceAll('/', '-');
          if (PICTURES)
            await page.screenshot({ path: join(PICTURES, `${name}-${size}-${colorScheme}.png`), fullPage: true });
        }
        expect([path, papers.size]).toEqual([path, 2]);
      }
    }
    await page.emulateMedia({ colorScheme: null });
  });

  test.each(['pseudo', 'rtl', 'de'])(
    'texts of another length, direction or language (%s) break no screen',
    async (locale) => {
      // What a tab was told to show it shows from then on.
      const page = await visitor.context.newPage();
      await page.setViewportSize(PHONE);
      for (const [path] of SCREENS) {
        await page.goto(`${server.url}${path}?locale=${locale}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await outside(page)).toEqual([]);
      }
      await page.close();
    },
  );

  test('going elsewhere leads the focus to the new heading, and the title follows', async () => {
    await visitor.page.setViewportSize(DESK);
    await show('/app', 'Home');
    await visitor.page.getByRole('navigation').getByText('Money').click();
    await visitor.page.getByRole('link', { name: 'Wallet' }).click();
    await visitor.page.getByRole('heading', { level: 1, name: 'Wallet' }).waitFor();
    await visitor.page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await visitor.page.title()).toBe('Wallet · Meshwork');
  });

  test('a key is made, shown once, and taken back after a second question', async () => {
    await show('/app/keys', 'Keys');
    const { page } = visitor;
    await page.getByLabel('Name', { exact: true }).fill('my program');
    await page.getByRole('button', { name: 'Make a key' }).click();
    const shown = page.locator('.notice code');
    await shown.waitFor();
    expect(await shown.textContent()).toMatch(/^mesh_live_/);
    const row = page.getByRole('row').filter({ hasText: 'my program' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row
      .getByRole('group', { name: /Revoke my program\?/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await row.waitFor({ state: 'detached' });
  });

  test('after signing out the app asks to sign in', async () => {
    await show('/app', 'Home');
    await visitor.page.getByRole('button', { name: /^Your account/ }).click();
    await visitor.page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.page.getByLabel('Email address').waitFor();
    await visitor.page.goto(`${server.url}/app/wallet`);
    await visitor.page.getByLabel('Email address').waitFor();
  });
});
