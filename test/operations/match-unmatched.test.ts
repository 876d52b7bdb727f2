// Guards that nobody waits in silence: a listing that nothing fits is told of with what keeps others apart, once a day, and not where
// something met it meanwhile.

import { beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { edit, eventsOf, LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';

const AFTER_MS = 120_000;

const t = freshService();
let ann: TestAgent;
let bob: TestAgent;

beforeEach(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true });
  bob = await newAgent(t, { handle: 'bob', verified: true });
});

const told = (agent: TestAgent) => eventsOf(t, agent, 'listing.unmatched');

test('near misses are told with what would bring them in, once a day and listing', async () => {
  await publish(t, ann, { ...LOGO_OFFER, price_cents: 240_000 });
  const listing_id = await publish(t, bob, { ...LOGO_SEEK, budget_cents: 100_000 });
  expect(await told(bob)).toEqual([]);
  await t.advance(AFTER_MS);
  expect((await told(bob)).map(({ data }) => data)).toEqual([
    {
      listing_id,
      headline: LOGO_SEEK.headline,
      considered: 1,
      missing: [
        {
          rule: 'price',
          count: 1,
          change: 'They cost more than the budget. A budget higher by $500 would bring in 1.',
        },
      ],
    },
  ]);
  expect(await told(ann)).toHaveLength(1);
  await edit(t, bob, listing_id, { description: 'For our bakery.' });
  await t.advance(AFTER_MS);
  expect(await told(bob)).toHaveLength(1);
  await t.advance(DAY_MS);
  expect(await told(bob)).toHaveLength(1);
  await edit(t, bob, listing_id, { description: 'For our new bakery.' });
  await t.advance(AFTER_MS);
  expect(await told(bob)).toHaveLength(2);
  // The change that was told brings it in.
  await edit(t, bob, listing_id, { budget_cents: 150_000 });
  expect(await eventsOf(t, bob, 'match.created')).toHaveLength(1);
});

test('what is met within the two minutes is not told, nor what was paused', async () => {
  await publish(t, bob, LOGO_SEEK);
  await t.advance(AFTER_MS / 2);
  const offer_id = await publish(t, ann, LOGO_OFFER);
  await t.advance(AFTER_MS);
  expect([await told(bob), await told(ann)]).toEqual([[], []]);
  const other = await publish(t, ann, { ...LOGO_OFFER, headline: 'Bells', description: '', labels: ['bells'] });
  await edit(t, ann, other, { active: false });
  await edit(t, ann, offer_id, { active: false });
  await t.advance(AFTER_MS);
  expect(await told(ann)).toEqual([]);
});
