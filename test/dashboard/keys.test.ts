// Keys in the web app: what a new one may do and spend, and the code that uses it with the key filled in.
import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('keys in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_codes', '+14155550181');
    await ann.page.goto(`${server.url}/app/keys`);
  });

  test('a suggestion ticks its rights, and a key that cannot pay asks for no limit', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Agent at work', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Read only' }).click();
    await page.getByText('This key cannot spend money.').waitFor();
    expect(await page.getByRole('checkbox', { name: 'All: Read' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Write messages' }).isChecked()).toBe(false);
    await page.getByRole('checkbox', { name: 'All: Read' }).uncheck();
    await page.getByLabel('Name', { exact: true }).fill('a reader');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByText('Choose at least one right.').waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  test('a key that pays has its limits, and the code holds it while the page does', async () => {
    const { page } = ann;
    await page.locator('.snippet pre').getByText('$MESHWORK_KEY').waitFor();
    await page.getByRole('checkbox', { name: 'All: Money' }).check();
    await page.getByRole('button', { name: 'Your own choice', pressed: true }).waitFor();
    await page.getByLabel('Per payment').fill('5');
    await page.getByLabel('Per day').fill('20');
    await page.getByLabel('Name', { exact: true }).fill('a payer');
    await page.getByRole('button', { name: 'Make a key' }).click();
    const secret = (await page.locator('.notice code').textContent()) ?? '';
    expect(secret).toStartWith('mesh_live_');
    const row = page.getByRole('row').filter({ hasText: 'a payer' });
    await row.getByText('$0.00 / $20.00').waitFor();
    await row.locator('summary').getByText('Money').click();
    await row.getByText(/^Call capabilities/).waitFor();
    for (const name of ['curl', 'meshwork-client', 'Claude Code', 'Claude Desktop', 'Cursor', 'VS Code']) {
      await page.getByRole('button', { name, exact: true }).click();
      expect([name, await page.locator('.snippet pre').textContent()]).toEqual([name, expect.stringContaining(secret)]);
    }
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.locator('.snippet pre').getByText('$MESHWORK_KEY').waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('a key pair is made in the browser, its private key is never sent, and its file gets a token', async () => {
    const { page } = ann;
    const sent: string[] = [];
    page.on('request', (request) => {
      sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
    });
    await page.getByRole('button', { name: 'New key pair' }).click();
    const asked = page.getByRole('group', { name: /^Register a new key pair for @ann_codes/ });
    await asked.getByRole('button', { name: 'New key pair' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the private key' }).click(),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'meshwork-pair-'));
    await file.saveAs(join(folder, file.suggestedFilename()));
    const { x, d } = await Bun.file(join(folder, file.suggestedFilename())).json();
    expect(Buffer.from(d, 'base64url').length).toBe(32);
    expect(sent.filter((each) => each.includes(x))).toHaveLength(1);
    expect(sent.filter((each) => each.includes(d))).toEqual([]);
    expect(await barriers(page)).toEqual([]);
    const code = page.getByRole('region', { name: 'Key pair of the agent' }).locator('.snippet pre');
    await Bun.write(join(folder, 'token.mjs'), (await code.textContent()) ?? '');
    const child = Bun.spawn([process.execPath, '--no-env-file', 'token.mjs'], { cwd: folder, stdout: 'pipe' });
    const said = await new Response(child.stdout).text();
    rmSync(folder, { recursive: true, force: true });
    expect(said).toContain('access_token');
    await page.getByRole('row').filter({ hasText: 'Key pair of @ann_codes' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });
});
