// The guide at /docs/guide as a reader meets it: every link leads somewhere, a search finds by other words, and no page runs a script.
import { expect, test } from 'bun:test';
import { sharedServer } from '../support/shared-server.ts';

const server = sharedServer();

async function page(path: string): Promise<{ status: number; html: string; policy: string }> {
  const answer = await fetch(`${server.url}${path}`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  return { status: answer.status, html: await answer.text(), policy };
}

test('every link within the guide leads to a page, and to a place that is on it', async () => {
  const pages = new Map<string, string>();
  const open = ['/docs/guide'];
  const wrong: string[] = [];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { status, html, policy } = await page(path);
    expect([path, status]).toEqual([path, 200]);
    expect(policy).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<!--|\.md"/);
    pages.set(path, html);
    for (const [, to = ''] of html.matchAll(/href="(\/docs\/guide[^"#]*)/g)) {
      if (!pages.has(to) && !open.includes(to)) open.push(to);
    }
  }
  for (const [path, html] of pages) {
    for (const [, to = '', place = ''] of html.matchAll(/href="(\/docs\/guide[^"#]*)?#([^"]+)"/g)) {
      const target = pages.get(to === '' ? path : to) ?? '';
      if (!target.includes(`id="${decodeURIComponent(place)}"`)) wrong.push(`${path} → ${to}#${place}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(pages.size).toBeGreaterThan(8);
});

test('a search finds sections and operations, each with a link to its place', async () => {
  const { html } = await page('/docs/guide?q=make+a+backup');
  expect(html).toContain('<a href="/docs/guide/host#upgrades-and-copies">');
  const places = [
    ['states of a dispute', 'states#disputes'],
    ['insufficient_scope', 'errors#403'],
    ['SSRF', 'security#what-goes-out'],
    ['deprecation policy', 'guide#what-may-change-and-how-do-things-go-out-of-use'],
  ];
  for (const [asked = '', place] of places) {
    expect((await page(`/docs/guide?q=${encodeURIComponent(asked)}`)).html).toContain(`href="/docs/guide/${place}"`);
  }
  const money = await page('/docs/guide?q=withdraw%20money%20to%20my%20bank');
  expect(money.html).toContain('href="/docs/guide/guide#how-do-i-withdraw-money-or-get-a-payout-to-my-bank"');
});

test('what was searched for is text on the page, whatever it holds, and short', async () => {
  const { html, status } = await page(`/docs/guide?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(status).toBe(200);
  expect(html).not.toContain('<script');
  expect((await page(`/docs/guide?q=${'a'.repeat(201)}`)).status).toBe(400);
  expect((await page('/docs/guide?q=+')).html).toContain('<h1>Guide</h1>');
});
