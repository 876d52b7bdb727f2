// What keeps a listing from more matches, in the web app: its person asks on the listing's own page, and reads what would change it.
import { beforeAll, describe, expect, test } from 'bun:test';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_seeks';
const BOB = 'bob_offers';

describe.skipIf(!hasBrowser)('what a listing misses, in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550191');
    bob = await dealer(server, browser, BOB, '+14155550192');
  });

  test('a budget that is too small for an offer is told, with what it would have to be', async () => {
    const add = (who: Visitor, agent: string, body: object) =>
      call(who, { method: 'POST', path: `/api/agents/${agent}/cards`, agent, body });
    await add(bob, BOB, { ...LOGO_OFFER, price_cents: 50_000 });
    const { id } = await add(ann, ANN, { ...LOGO_SEEK, budget_cents: 30_000 });
    const { page } = ann;
    await page.goto(`${server.url}/app/listings/${id}`);
    await page.getByRole('button', { name: 'Compare' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Different price' });
    await row.getByText('$', { exact: false }).first().waitFor();
    await judgeLooks(ann, 'listing-explained');
    expect(ann.complaints).toEqual([]);
  });
});
