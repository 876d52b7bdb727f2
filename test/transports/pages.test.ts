// The pages of the built-in payment processor: what a stranger, a script and a hostile name get out of them, and a person who pays
// in a real browser, by light and by dark, on a phone too.
import { beforeAll, describe, expect, test } from 'bun:test';
import { guardedBalance } from '../../db/queries/ledger.ts';
import { INSTANCE } from '../../src/domain/instance.ts';
import { channels, lookOf } from '../../src/domain/look.ts';
import { html } from '../../src/transports/pages/page.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { barriers, borderless } from '../support/barriers.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { decideOn } from '../support/funds.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'page_reader' });
});

async function funding(amount_cents = 2500): Promise<string> {
  return (await t.call('POST', '/api/wallet/fund', { token: ada.token, body: { amount_cents } })).body.checkout_url;
}

async function pages(): Promise<{ readonly [kind: string]: string }> {
  const plan = await t.call('POST', '/api/billing/checkout', { token: ada.token, body: { plan: 'pro' } });
  const payee = await t.call('POST', '/api/payments/connect', { key: ada.key });
  return { pay: await funding(), plan: plan.body.checkout_url, payee: payee.body.onboarding_url };
}

const open = (url: string, init: RequestInit = {}): Promise<Response> => t.fetch(new Request(url, init));
const balance = async (): Promise<number> =>
  (await t.service.world.store.read(guardedBalance, { id: `wallet:${ada.id}` }))?.balance_cents ?? 0;

describe('a page', () => {
  test('of each kind says that no real money moves, and loads and tells nothing', async () => {
    for (const url of Object.values(await pages())) {
      const shown = await open(url);
      const text = await shown.text();
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain('No real money moves');
      expect(text).not.toContain('<script');
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
      expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
      const policy = shown.headers.get('content-security-policy') ?? '';
      expect(policy).toStartWith("default-src 'none'; style-src 'sha256-");
      for (const part of ["form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        expect(policy).toContain(part);
      }
      const head = await open(url, { method: 'HEAD' });
      expect(head.status).toBe(200);
    }
  });

  test('is found by its whole address alone', async () => {
    const url = await funding();
    const [, kind = '', id = '', token = ''] = /sandbox\/(\w+)\/([\w-]+)\/([\w-]+)$/.exec(url) ?? [];
    const other = (await funding()).split('/').at(-1) ?? '';
    const wrong = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
    const addresses = [
      `${kind}/${id}/${wrong}`,
      `${kind}/${id}/${other}`,
      `${kind}/${id}/${token.slice(1)}`,
      `plan/${id}/${token}`,
      `nothing/${id}/${token}`,
      `${kind}/${Bun.randomUUIDv7()}/${token}`,
    ];
    for (const address of addresses) {
      const at = `http://localhost/sandbox/${address}`;
      expect([address, (await open(at)).status]).toEqual([address, 404]);
      expect([address, (await decideOn(t, at, 'pay')).status]).toEqual([address, 404]);
    }
    expect(await balance()).toBe(0);
  });

  test('takes a form with a decision, and nothing else', async () => {
    const url = await funding();
    const form = 'application/x-www-form-urlencoded';
    for (const [type, body] of [
      ['application/json', JSON.stringify({ decision: 'pay' })],
      [form, 'decision=maybe'],
      [form, 'decision=pay&decision=cancel'],
      [form, ''],
      [form, `decision=pay&more=${'x'.repeat(20_000)}`],
    ]) {
      const headers = { 'Content-Type': type ?? '' };
      expect((await open(url, { method: 'POST', headers, body: body ?? '' })).status).toBe(400);
    }
    expect(await (await open(url)).text()).toContain('value="pay"');
    expect((await open(url, { method: 'DELETE' })).status).toBe(405);
  });

  test('shows a second decision what stands', async () => {
    const url = await funding(300);
    const both = await Promise.all([decideOn(t, url, 'pay'), decideOn(t, url, 'cancel'), decideOn(t, url, 'pay')]);
    const titles = await Promise.all(both.map(async (page) => /<title>([^<]*)/.exec(await page.text())?.[1]));
    expect(new Set(titles).size).toBe(1);
    expect(await balance()).toBe(titles[0] === 'Paid' ? 300 : 0);
  });
});

test('what is put into a page is text', () => {
  const name = `<script>alert('1')</script>" onclick="x&y`;
  expect(html`<p title="${name}">${name}${[html`<b>${1}</b>`]}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onclick=&quot;x&amp;y">' +
      '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onclick=&quot;x&amp;y<b>1</b></p>',
  );
});

test.skipIf(!hasBrowser)(
  'a person pays, subscribes and connects in a browser, and is asked for nothing else',
  async () => {
    const served = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => t.fetch(request) });
    const browser = await openBrowser();
    try {
      const before = await balance();
      const complaints: string[] = [];
      const [asked, shots] = [[] as string[], process.env['PAGE_SHOTS']];
      for (const [kind, url] of Object.entries(await pages())) {
        for (const [look, width] of [
          ['light', 1280],
          ['dark', 360],
        ] as const) {
          const page = await browser.newPage({ colorScheme: look, viewport: { width, height: 740 } });
          page.on('console', (message) => {
            if (message.type() === 'error') complaints.push(message.text());
          });
          page.on('request', (request) => asked.push(new URL(request.url()).origin));
          await page.goto(url.replace('http://localhost', served.url.origin));
          if (shots) await page.screenshot({ path: `${shots}/${kind}-${look}.png` });
          // No wider than the screen, and as dark as was asked for.
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
          expect(paper).toBe(`rgb(${channels(lookOf(INSTANCE.color)[look].paper).join(', ')})`);
          expect([kind, await barriers(page), await borderless(page)]).toEqual([kind, [], []]);
          if (look === 'dark') {
            await page.getByRole('button', { name: /^(Pay|Subscribe|Connect)$/ }).click();
            await page
              .getByRole('status')
              .filter({ hasText: /^(Paid|Subscribed|Connected)$/ })
              .waitFor();
            if (shots) await page.screenshot({ path: `${shots}/${kind}-done.png` });
            expect(await page.getByRole('link', { name: 'Back to Meshwork' }).count()).toBe(1);
          }
          await page.close();
        }
      }
      expect(complaints).toEqual([]);
      expect([...new Set(asked)].filter((origin) => origin !== served.url.origin && origin !== 'null')).toEqual([]);
      expect(await balance()).toBe(before + 2500);
    } finally {
      await browser.close();
      await served.stop(true);
    }
  },
  600_000,
);
