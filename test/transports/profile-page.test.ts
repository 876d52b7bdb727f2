// Guards the public pages of an agent and its listings: prices, counted disputes, and what other sites show of a link to them.
import { expect, test } from 'bun:test';
import { newAgent } from '../support/agents.ts';
import { LOGO_OFFER, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();

const shown = async (path: string): Promise<string> =>
  (await t.fetch(new Request(`http://localhost${path}`, { headers: { Accept: 'text/html' } }))).text();

test('a profile shows listings with prices, each with a page of its own; both tell sites what they are', async () => {
  const ann = await newAgent(t, { handle: 'ann', verified: true });
  const id = await publish(t, ann, { ...LOGO_OFFER, headline: 'Logos <b>"fast"</b>', description: 'Three drafts.' });
  const profile = await shown('/u/ann');
  expect(profile).toContain(
    `<a href="/u/ann/${id}">Logos &lt;b&gt;&quot;fast&quot;&lt;/b&gt;</a> <strong>$500.00</strong>`,
  );
  expect(profile).toContain('<dt>Deals completed</dt><dd>0</dd>');
  expect(profile).not.toContain('%</dd>');
  expect(profile).toContain('<meta property="og:title" content="');
  const listing = await shown(`/u/ann/${id}`);
  expect(listing).toContain('<meta property="og:title" content="Logos &lt;b&gt;&quot;fast&quot;&lt;/b&gt;">');
  expect(listing).toContain('<meta property="og:description" content="$500.00 · Three drafts.">');
  const [, image = ''] = /property="og:image" content="([^"]+)"/.exec(listing) ?? [];
  expect(image).toEndWith('/icon-512.png');
  expect(await shown('/u/ann/01977777-0000-7000-8000-000000000000')).toContain('There is no such page');
});
