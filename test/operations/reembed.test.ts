// Vectors of two models are never compared: what another model made is found by labels only, and made anew as soon as
// the embedder that is set answers again.
import { expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { knowledgeById } from '../../db/queries/knowledge.ts';
import { listingById, listingsOfOtherModels } from '../../db/queries/listing.ts';
import { vectorOfListing } from '../../db/queries/match.ts';
import { embedStaleKnowledge, reembedStale } from '../../src/compose/prepare.ts';
import { builtInEmbedder } from '../../src/outbound/embedder/built-in.ts';
import type { Embedder } from '../../src/outbound/embedder/embedder.ts';
import { indexListing } from '../../src/steps/listing/derived.ts';
import { newAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { openTestService } from '../support/testbed.ts';

/** An outside endpoint that can be down: then the built-in embedder answers under its own name. */
const endpoint = { up: false };
const embedder: Embedder = {
  model: 'endpoint:test',
  dimensions: 256,
  closeness_floor: builtInEmbedder.closeness_floor,
  embed: async (texts) => {
    const answer = await builtInEmbedder.embed(texts);
    return endpoint.up ? { ...answer, model: 'endpoint:test' } : answer;
  },
};

const t = sharedService({}, 'memory', { embedder });

const stale = async (): Promise<number> =>
  (await t.service.world.store.read(listingsOfOtherModels, { model: embedder.model, limit: 10 })).length;

test('a listing that was embedded while the endpoint was down is embedded again once it answers', async () => {
  const seller = await newAgent(t, { handle: 'plumber', verified: true });
  const card = { card_type: 'selling', headline: 'Emergency plumbing', labels: ['plumbing'], price_cents: 9_000 };
  const made = await t.call('POST', '/api/agents/plumber/cards', { key: seller.key, body: card });
  expect(made.body.status).toBe('live');
  expect(await stale()).toBe(1);
  const text = await builtInEmbedder.embed(['Emergency plumbing']);
  const query = text.vectors[0] ?? new Int8Array(256);
  expect(t.service.world.store.vectors.cosine(query, made.body.id)).toBe(0);

  await t.advance(300_000);
  expect(await stale()).toBe(1);
  endpoint.up = true;
  await t.advance(300_000);
  expect(await stale()).toBe(0);
  expect(t.service.world.store.vectors.cosine(query, made.body.id)).toBeGreaterThan(0.3);
});

test('after the built-in model took a new number, what the one before it made is made anew from the start on', async () => {
  const own = await openTestService();
  try {
    const seller = await newAgent(own, { handle: 'roofer', verified: true });
    const card = { card_type: 'selling', headline: 'Roof repair', labels: ['roofing'], price_cents: 9_000 };
    const { id } = (await own.call('POST', '/api/agents/roofer/cards', { key: seller.key, body: card })).body;
    const { store } = own.service.world;
    const stored = async () => {
      const row = await store.read(vectorOfListing, { id });
      return row && { model: row.model, vector: Buffer.from(row.vector).toString('hex') };
    };
    const right = await stored();
    const row = await store.read(listingById, { id });
    if (!row) throw new Error('the listing is gone');
    const old = { ...indexListing(row, { model: 'meshwork-lsa-1', vector: new Int8Array(256).fill(3) }), terms: null };
    await store.turn({ attempt: async () => ({ reply: null, effects: [old] }) });
    expect((await stored())?.model).toBe('meshwork-lsa-1');
    const { model } = builtInEmbedder;
    await store.turn({
      attempt: async (read) => ({ reply: null, effects: await reembedStale(read, model, own.clock.now()) }),
    });
    await own.advance(1);
    await own.service.world.tasks.idle();
    expect(await stored()).toEqual(right);
  } finally {
    await own.close();
  }
});

test('what an agent knows is found by meaning again after the embedder was changed, however much it is', async () => {
  const own = await openTestService();
  try {
    const ada = await newAgent(own, { handle: 'knows_much', verified: true });
    const ids: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      const body = { text: `Our physician number ${n} sees patients in the morning.` };
      ids.push((await own.call('POST', '/api/knowledge', { key: ada.key, body })).body.id);
    }
    await own.rest();
    await own.service.world.tasks.idle();
    const { store } = own.service.world;
    const stored = () => Promise.all(ids.map(async (id) => (await store.read(knowledgeById, { id }))?.model ?? null));
    const outdated = { model: 'endpoint:before', vector: Buffer.alloc(1_024) };
    await store.turn({
      attempt: async (read) => {
        const rows = await Promise.all(ids.map((id) => read(knowledgeById, { id })));
        return { reply: null, effects: rows.flatMap((row) => (row ? [patch('knowledge', row, outdated)] : [])) };
      },
    });
    const found = async () =>
      (await own.call('GET', '/api/knowledge/search?q=doctor', { key: ada.key })).body.map(
        ({ by_meaning }: { by_meaning: boolean }) => by_meaning,
      );
    expect(await found()).toEqual([]);
    const { model } = builtInEmbedder;
    const asked = await embedStaleKnowledge(store.read, model, own.clock.now());
    await store.turn({ attempt: async () => ({ reply: null, effects: asked }) });
    await own.advance(1);
    await own.service.world.tasks.idle();
    expect(new Set(await stored())).toEqual(new Set([model]));
    expect((await found()).length).toBeGreaterThan(0);
    expect(await embedStaleKnowledge(store.read, model, own.clock.now())).toEqual([]);
  } finally {
    await own.close();
  }
});
