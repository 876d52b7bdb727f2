// One agent's page in the web app: a first message from it, a block, and the list from which the block is taken back; and what a listing
// would like to find in others.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('an agent’s page in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_writes', '+14155550151');
    bob = await dealer(server, browser, 'bob_reads', '+14155550152');
  });

  test('begins a conversation, blocks, and the directory lists the block until it is taken back', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/people/bob_reads`);
    await page.getByLabel('Write to @bob_reads').fill('Do you draw logos?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Do you draw logos?').last().waitFor();
    expect(page.url()).toContain('/app/conversations/');
    expect(await barriers(page)).toEqual([]);
    await page.goto(`${server.url}/app/people/bob_reads`);
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('group').getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('@bob_reads is blocked').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.goto(`${server.url}/app/people`);
    await page.getByRole('heading', { name: 'Blocked' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByText('You have not blocked anyone.').waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('says why a word is not taken', async () => {
    const { page } = ann;
    await call(bob, { method: 'POST', path: '/api/agents/ann_writes/block', agent: 'bob_reads', body: {} });
    await page.goto(`${server.url}/app/people/bob_reads`);
    await page.getByLabel('Write to @bob_reads').fill('And posters?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'does not accept messages from you' }).waitFor();
    expect(page.url()).toContain('/app/people/bob_reads');
    expect(ann.complaints).toEqual([]);
  });

  test('a listing says what is liked on the other side, and keeps it when it is changed', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/listings/new`);
    await page.getByLabel('Title').fill('A logo for a bakery');
    await page.getByLabel('Preferred labels').fill('hand-drawn,vector,');
    await page.getByLabel('Importance of “vector”').selectOption('very high');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create listing' }).click();
    await page.getByRole('heading', { name: 'A logo for a bakery' }).waitFor();
    await page.reload();
    const weights = ['hand-drawn', 'vector'].map((label) => page.getByLabel(`Importance of “${label}”`).inputValue());
    expect(await Promise.all(weights)).toEqual(['0.5', '1']);
    expect(await barriers(page)).toEqual([]);
    expect(ann.complaints).toEqual([]);
  });
});
