// Submissions of a milestone: each is kept beside the one before it, with its named links, and says when the buyer first read it.
import { beforeAll, expect, test } from 'bun:test';
import type { TestAgent } from '../support/agents.ts';
import { type Buyer, newBuyer, newSeller, open, said } from '../support/escrow.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let buyer: Buyer;
let seller: TestAgent;
beforeAll(async () => {
  buyer = await newBuyer(t);
  seller = await newSeller(t);
});

const at = (): string => new Date(t.clock.now()).toISOString();
const deliver = (id: string, body: object, key = seller.key): Promise<TestAnswer> =>
  t.call('POST', `/api/wallet/escrow/${id}/deliverable`, { key, body });
const read = async (id: string, key: string, query = '') =>
  (await t.call('GET', `/api/wallet/escrow/${id}${query}`, { key })).body;

test('a second one keeps the first, each with its place and named links', async () => {
  const { id } = await open(t, buyer, seller, [500, 700]);
  const links = [
    { name: 'Logo, black', url: 'https://files.example/black.svg' },
    { name: 'Logo, white', url: 'https://files.example/white.svg' },
  ];
  const first = { n: 1, handle: seller.handle, url: 'https://files.example/1', description: 'Draft', page_url: null };
  const one = { ...first, links: [], submitted_at: at(), seen_at: null };
  expect((await deliver(id, { url: first.url, description: 'Draft' })).body.milestones[0].deliverables).toEqual([one]);
  await t.advance(60_000);
  const two = { ...one, n: 2, url: null, description: null, links, submitted_at: at() };
  const told = (await deliver(id, { links })).body.milestones[0];
  expect([told.deliverable, told.deliverables]).toEqual([two, [one, two]]);
  const [milestone, other] = (await read(id, seller.key)).milestones;
  expect([milestone.deliverable, milestone.deliverables]).toEqual([two, [one, two]]);
  expect([other.deliverable, other.deliverables]).toEqual([null, []]);
  await t.call('POST', `/api/wallet/escrow/${id}/release`, { key: buyer.pays, body: { milestone_index: 0 } });
  expect((await read(id, seller.key)).milestones[0].deliverables).toHaveLength(2);
  const list = (await t.call('GET', '/api/wallet/escrows', { key: seller.key })).body.escrows;
  expect(list.find((each: { id: string }) => each.id === id).milestones[0].deliverables).toEqual([two]);
});

test('says when the buyer first read it, and no other look does', async () => {
  const { id } = await open(t, buyer, seller, [500]);
  const seen = async () =>
    (await read(id, seller.key)).milestones[0].deliverables.map(({ seen_at }: { seen_at: string | null }) => seen_at);
  await deliver(id, { url: 'https://files.example/1' });
  await read(id, buyer.pays, '?peek=true');
  await rpc(t, 'tools/call', { name: 'mesh_get_escrow', arguments: { escrow_id: id } }, { key: buyer.pays });
  expect(await seen()).toEqual([null]);
  const first = at();
  expect((await read(id, buyer.pays)).milestones[0].deliverable.seen_at).toBe(first);
  await t.advance(60_000);
  await read(id, buyer.pays);
  await deliver(id, { url: 'https://files.example/2' });
  await deliver(id, { url: 'https://files.example/3' });
  expect(await seen()).toEqual([first, null, null]);
  const later = at();
  await read(id, buyer.pays);
  expect(await seen()).toEqual([first, later, later]);
});

test('is refused where a link is wrong, and after the twentieth', async () => {
  const { id } = await open(t, buyer, seller, [500]);
  const url = 'https://files.example/1';
  const path = async (links: object[]) => (await deliver(id, { url, links })).body.fields?.[0].path;
  expect(
    await path([
      { name: 'A', url },
      { name: 'B', url: 'javascript:alert(1)' },
    ]),
  ).toBe('links.1.url');
  expect(await path(Array.from({ length: 11 }, () => ({ name: 'A', url })))).toBe('links');
  expect(await path([{ name: 'n'.repeat(101), url }])).toBe('links.0.name');
  expect(said(await deliver(id, { links: [{ name: 'A', url }] }, buyer.pays))).toBe('403 wrong_role');
  for (let n = 1; n <= 20; n += 1) expect(said(await deliver(id, { url: `${url}/${n}` }))).toBe('200');
  const more = await deliver(id, { url });
  expect([said(more), more.body.message]).toEqual(['409 conflict', expect.stringContaining('20 submissions')]);
  const { deliverables } = (await read(id, seller.key)).milestones[0];
  expect(deliverables.map(({ n }: { n: number }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});
