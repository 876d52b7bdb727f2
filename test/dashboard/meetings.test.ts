// Meetings in the web app: one person sets one in a conversation, the other reads it there, and says that an earlier one took place.

import { beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const SOON_MS = 2_500;

describe.skipIf(!hasBrowser)('meetings in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let id: string;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_meets', '+14155550161');
    bob = await dealer(server, browser, 'bob_meets', '+14155550162');
    id = await begin(ann, 'ann_meets', 'bob_meets', 'Shall we meet?');
  });

  test('one side sets a meeting, and the other one reads when and where', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/conversations/${id}`);
    await page.getByText('No meetings scheduled.').waitFor();
    await page.getByText('Schedule a meeting').click();
    const tomorrow = new Date(Date.now() + DAY_MS);
    const local = new Date(tomorrow.getTime() - tomorrow.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    await page.getByLabel('Time').fill(local);
    await page.getByLabel('Minutes').fill('45');
    await page.getByLabel('Meeting link').fill('https://ann@meet.example/ropes');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('Leave user name and password out of the address.').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    ann.complaints.length = 0;
    await page.getByLabel('Meeting link').fill('https://meet.example/ropes');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('link', { name: 'https://meet.example/ropes' }).waitFor();
    const reads = bob.page;
    await reads.goto(`${server.url}/app/conversations/${id}`);
    const link = reads.getByRole('link', { name: 'https://meet.example/ropes' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).toContain('noopener');
    await reads.getByText('Scheduled').waitFor();
    expect(await reads.getByRole('button', { name: 'Mark as done' }).count()).toBe(0);
    expect(await barriers(reads)).toEqual([]);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('a meeting that begins while it is looked at can be said to have taken place, in a closed conversation too', async () => {
    const { page } = bob;
    const body = { starts_at: new Date(Date.now() + SOON_MS).toISOString(), duration_minutes: 5 };
    const path = `/api/conversations/${id}`;
    await call(ann, { method: 'POST', path: `${path}/meetings`, agent: 'ann_meets', body });
    await call(ann, { method: 'POST', path: `${path}/close`, agent: 'ann_meets', body: {} });
    await page.goto(`${server.url}/app/conversations/${id}`);
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await page.getByText('Took place', { exact: true }).waitFor();
    expect(await page.getByText('Schedule a meeting').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(bob.complaints).toEqual([]);
  });
});
