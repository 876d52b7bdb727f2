// What people wrote is text on every screen of the web app, whatever they wrote. Each screen is given replies in which every field that
// may hold somebody's words holds markup, script addresses and what else breaks naive code; it shows them as they are.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Route } from 'playwright-core';
import { registry } from '../../src/operations/registry.ts';
import { hasBrowser, openWindow, signIn, type Visitor } from '../support/browser.ts';
import { HOSTILE, hostileReply } from '../support/hostile-reply.ts';
import { outside } from '../support/reflow.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ID = '01890000-0000-7000-8000-000000000000';

/** A window at 400 %. */
const NARROW = { width: 320, height: 256 };

/** Every screen with somebody's words. */
const SCREENS = [
  '',
  'agents',
  'agents/hostile_bob',
  'activity',
  'people',
  'people/hostile_bob',
  'market',
  'market/selling',
  'market/selling/new',
  'market/earnings',
  `market/hostile_bob/${ID}`,
  'listings',
  'listings/new',
  `listings/${ID}`,
  'matches',
  `matches/${ID}`,
  'conversations',
  `conversations/${ID}`,
  'activity?show=approvals',
  'deals',
  'demand',
  `demand/${ID}`,
  'calls',
  'knowledge',
  'wallet',
  'escrows',
  `escrows/${ID}`,
  'subscriptions',
  `subscriptions/${ID}`,
  'payouts',
  'billing',
  'trust',
  'webhooks',
  `webhooks/${ID}`,
  'keys',
  'passkeys',
  'account',
  'admin',
  'account/notifications',
] as const;

/** The operations of the service by the pattern of their address, the exact ones first. */
const ANSWERS = registry()
  .flatMap(({ rest, output, kind }) =>
    kind === 'stream' ? [] : rest.map(({ method, path }) => ({ method, path, output })),
  )
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map(({ method, path, output }, number) => ({
    number,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    output,
  }));

function answer(route: Route): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  const read = ANSWERS.find(({ method, pattern }) => method === request.method() && pattern.test(pathname));
  return read ? route.fulfill({ json: hostileReply(read.output, read.number) }) : route.continue();
}

describe.skipIf(!hasBrowser)('hostile texts', () => {
  const { server, browser } = serverAndBrowser();
  let visitor: Visitor;

  beforeAll(async () => {
    visitor = await openWindow(browser);
    await signIn(server, visitor, 'reader@example.com', '/app/onboarding');
    await visitor.page.route(/\/api\/(?!auth\/session\/)/, answer);
  });

  test.each(SCREENS)('are text on /app/%s', async (path) => {
    const { page, complaints } = visitor;
    complaints.length = 0;
    await page.goto(`${server.url}/app/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('#app').getByText(HOSTILE).first().waitFor({ state: 'attached' });
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    const found = await page.evaluate(() => ({
      title: document.title === 'ran',
      alien: [
        ...document.querySelectorAll(
          '#app :is(script, img:not([src="/app/logo"]), iframe, base, embed, object, style, meta)',
        ),
      ].map(({ outerHTML }) => outerHTML),
      handlers: [...document.querySelectorAll('#app *')].flatMap((each) =>
        each.getAttributeNames().filter((name) => name.startsWith('on') || name === 'srcdoc'),
      ),
      links: [...document.querySelectorAll('#app :is([href], [action], [formaction])')].flatMap((each) =>
        ['href', 'action', 'formaction'].flatMap((name) => each.getAttribute(name) ?? []),
      ),
    }));
    expect({ ...found, links: found.links.filter((to) => !/^(\/app(\/|$)|https?:\/\/|#)/.test(to)) }).toEqual({
      title: false,
      alien: [],
      handlers: [],
      links: [],
    });
    await page.setViewportSize(NARROW);
    expect(await outside(page)).toEqual([]);
    // The stream of news is the service's own, which knows no such agent.
    expect(complaints.filter((each) => !each.includes('404 (Not Found)'))).toEqual([]);
  });
});
