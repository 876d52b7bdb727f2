// The page of the link that the server prints while it has no administrator, as a browser without scripts uses it.
import { expect, test } from 'bun:test';
import { barriers, borderless } from '../support/barriers.ts';
import { hasBrowser, openBrowser, openWindow, sentCode } from '../support/browser.ts';
import { startTestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = sharedServer();

async function link(of = server): Promise<string> {
  const token = (await Bun.file(`${of.data_dir}/internal-token`).text()).trim();
  const headers = { 'X-Internal-Token': token };
  const { url } = await (await fetch(`${of.url}/internal/admin/set-up`, { method: 'POST', headers })).json();
  return new URL(url).pathname;
}

/** Fills the form in as a browser does: with its cookie, its origin and the hidden field. */
async function fill(path: string, email: string, origin = server.url): Promise<Response> {
  const page = await fetch(server.url + path);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  return fetch(server.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form_token: token, email }),
  });
}

test('a form that no page of ours sent, and an address that is none, set nobody up', async () => {
  const path = await link();
  expect((await fill(path, 'ann@example.com', 'https://evil.example')).status).toBe(403);
  const wrong = await fill(path, 'nobody<script>');
  expect(wrong.status).toBe(400);
  const text = await wrong.text();
  expect(text).toContain('That is no mail address.');
  expect(text).not.toContain('<script>');
});

test('the link makes one administrator, and no second one', async () => {
  const [path, other] = [await link(), await link()];
  const done = await fill(path, 'ann@example.com');
  expect(done.status).toBe(200);
  const text = await done.text();
  expect(text).toContain('ann@example.com</strong> administers this server');
  expect(text).toContain('action="/app/login"');
  expect(text).toContain('name="next" value="/app/admin"');
  expect([(await fill(path, 'bob@example.com')).status, (await fill(other, 'bob@example.com')).status]).toEqual([
    410, 410,
  ]);
});

test.skipIf(!hasBrowser)(
  'with nothing but a keyboard a person sets up, signs in and stands in the administration',
  async () => {
    const fresh = await startTestServer();
    const browser = await openBrowser();
    try {
      const { page, complaints } = await openWindow(browser, { viewport: { width: 360, height: 740 } });
      const usable = async () => expect([await barriers(page), await borderless(page)]).toEqual([[], []]);
      await page.goto(`${fresh.url}${await link(fresh)}`);
      await usable();
      // The field has the focus already; Enter sends the form.
      await page.keyboard.type('ann@example.com');
      await page.keyboard.press('Enter');
      await page.getByRole('status').waitFor();
      await usable();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByLabel('Code').waitFor();
      await page.keyboard.type(await sentCode(fresh, 'ann@example.com'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await fresh.stop();
    }
  },
  600_000,
);
