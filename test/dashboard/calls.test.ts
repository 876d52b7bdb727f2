// Capabilities in the web app: an offer, its secret once, a trial of it, and what came of a call of somebody else's.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('capabilities in the web app', () => {
  const provider = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json({ done: true }) });
  const { server, browser } = serverAndBrowser({ EGRESS_ALLOW: `127.0.0.1:${provider.port}` });
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_calls', '+14155550141');
    bob = await dealer(server, browser, 'bob_serves', '+14155550142');
  });

  afterAll(() => provider.stop(true));

  test('one offers and tries it, the other sees what its call came to', async () => {
    const serves = bob.page;
    await serves.goto(`${server.url}/app/calls`);
    await serves.getByLabel('Capability', { exact: true }).fill('demo.app');
    await serves.getByLabel('Endpoint').fill(`http://127.0.0.1:${provider.port}/`);
    await serves.getByLabel('Price per call').fill('0');
    await serves.getByRole('button', { name: 'Offer capability' }).click();
    await serves.getByText(/^prs_/).waitFor();
    await serves.getByRole('button', { name: 'Test' }).click();
    await serves.getByText('Test passed in').waitFor();
    expect(await barriers(serves)).toEqual([]);
    const body = { capability: 'demo.app', payload: {} };
    await call(ann, { method: 'POST', path: '/api/router/call', agent: 'ann_calls', body });
    const calls = ann.page;
    await calls.goto(`${server.url}/app/calls`);
    await calls.getByText('Not charged').first().waitFor();
    expect(await barriers(calls)).toEqual([]);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });
});
