// What a listing's moves do to its matches: going live and changing match at once, pausing and deleting end what is open.
import { beforeAll, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();
let seller: TestAgent;
let buyer: TestAgent;
beforeAll(async () => {
  seller = await newAgent(t, { handle: 'potter', verified: true, pro: true });
  buyer = await newAgent(t, { handle: 'tea_house', verified: true, pro: true });
});

async function card(agent: TestAgent, body: object): Promise<string> {
  const answer = await t.call('POST', `/api/agents/${agent.handle}/cards`, { key: agent.key, body });
  expect(answer.body.status).toBe('live');
  return answer.body.id;
}

async function states(agent: TestAgent): Promise<string[]> {
  const { body } = await t.call('GET', `/api/agents/${agent.handle}/matches`, { key: agent.key });
  return body.map(({ status }: { status: string }) => status);
}

const edit = (id: string, body: object): Promise<unknown> =>
  t.call('PATCH', `/api/agents/potter/cards/${id}`, { key: seller.key, body });

test('a listing is matched when it goes live, unmatched while paused, matched again when it returns, and ended', async () => {
  const cups = { headline: 'Hand-made tea cups', labels: ['ceramics', 'tea'] };
  await card(buyer, { ...cups, card_type: 'buying', budget_cents: 50_000 });
  const id = await card(seller, { ...cups, card_type: 'selling', price_cents: 40_000 });
  expect([await states(seller), await states(buyer)]).toEqual([['pending'], ['pending']]);
  await edit(id, { active: false });
  expect(await states(buyer)).toEqual(['superseded']);
  await edit(id, { active: true });
  expect(await states(buyer)).toEqual(['pending']);
  await edit(id, { price_cents: 90_000 });
  expect(await states(buyer)).not.toContain('pending');
  await edit(id, { price_cents: 30_000 });
  expect(await states(buyer)).toEqual(['pending']);
  await t.call('DELETE', `/api/agents/potter/cards/${id}`, { key: seller.key });
  expect(await states(buyer)).toEqual(['superseded']);
});

test('deactivating an agent pauses its live listings', async () => {
  await card(seller, { headline: 'Vases', labels: ['ceramics'], card_type: 'selling', price_cents: 1 });
  const gone = await t.call('DELETE', '/api/agents/potter', { key: seller.key });
  expect(gone.status).toBe(200);
  expect((await t.call('GET', '/api/agents/potter/cards')).status).toBe(404);
  expect((await t.call('GET', '/api/labels?q=ceramics')).body[0]).toMatchObject({ name: 'ceramics', uses: 1 });
});
