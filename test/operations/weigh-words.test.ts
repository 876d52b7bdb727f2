// Words that many listings of a card type carry weigh less in its vectors: the set follows from the listings that stand,
// every vector is made with the set that is stored, and a work that was cut off is finished.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { listingById } from '../../db/queries/listing.ts';
import { vectorOfListing } from '../../db/queries/match.ts';
import { templateWordsOf, vectorTermsAfter } from '../../db/queries/template-words.ts';
import { embeddingText } from '../../src/domain/listing/listing.ts';
import { TEMPLATE_LISTINGS_MIN, type TemplateShares, wordWeights } from '../../src/domain/listing/template-words.ts';
import { builtInEmbedder, embedText, stemOf } from '../../src/outbound/embedder/built-in.ts';
import { hashWord } from '../../src/outbound/embedder/table.ts';
import { reweighLater } from '../../src/steps/listing/weigh.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { edit, publish } from '../support/matches.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

/** Longer than words wait to be weighed. */
const WEIGHED_MS = 1_260_000;
const TRADES = ['plumbing', 'violin', 'roofing', 'divorce', 'bakery', 'welding', 'dentist', 'gardening'];

let t: TestService;
let seller: TestAgent;
const services: TestService[] = [];

async function open(parts: Parameters<typeof openTestService>[2] = {}): Promise<void> {
  t = await openTestService({}, 'memory', parts);
  services.push(t);
  seller = await newAgent(t, { handle: 'seller', verified: true, pro: true });
}
beforeEach(() => open());
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
});

const listing = (n: number, words: string): object => ({
  card_type: 'selling',
  headline: `${TRADES[n % TRADES.length]} number ${n}`,
  description: words,
  labels: [TRADES[n % TRADES.length]],
  price_cents: 1_000,
});

/** Three of four say the same sentence. */
const sold = (n: number): object =>
  listing(n, n % 4 === 0 ? 'By appointment.' : 'Zealous artisans guarantee satisfaction.');

async function publishAll(count: number, order: (n: number) => number = (n) => n): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await publish(t, seller, sold(order(n))));
  return ids;
}

async function weigh(): Promise<void> {
  await t.advance(WEIGHED_MS);
  await t.service.world.tasks.idle();
}

async function storedShares(card_type = 'selling'): Promise<TemplateShares> {
  return (await t.service.world.store.read(templateWordsOf, { id: card_type }))?.shares ?? {};
}

const hashOf = (word: string): number => hashWord(stemOf(word));

/** The stored vector of each listing by its headline, and whether it is the one that its text has with the stored set. */
async function vectors(): Promise<Map<string, { bytes: string; right: boolean }>> {
  const { read } = t.service.world.store;
  const found = new Map<string, { bytes: string; right: boolean }>();
  for (const { id } of await read(vectorTermsAfter, { after: '', limit: 1_000 })) {
    const [row, stored] = [await read(listingById, { id }), await read(vectorOfListing, { id })];
    if (!row || !stored) throw new Error('a vector without a listing');
    const wanted = embedText(embeddingText(row), wordWeights(await storedShares(row.card_type)));
    const bytes = Buffer.from(stored.vector).toString('hex');
    found.set(row.headline, { bytes, right: bytes === Buffer.from(wanted.buffer).toString('hex') });
  }
  return found;
}

async function expectRight(): Promise<void> {
  const all = [...(await vectors())];
  expect(all.filter(([, { right }]) => !right).map(([headline]) => headline)).toEqual([]);
}

describe('words that three of four listings of a card type carry', () => {
  test('weigh less in all its vectors some minutes later, those that were there and those that come', async () => {
    await publishAll(60);
    const before = await vectors();
    expect(await storedShares()).toEqual({});
    await weigh();
    const shares = await storedShares();
    expect(shares).toEqual({
      [hashOf('zealous')]: 75,
      [hashOf('artisans')]: 75,
      [hashOf('guarantee')]: 75,
      [hashOf('satisfaction')]: 75,
      [hashOf('number')]: 100,
    });
    expect(await storedShares('buying')).toEqual({});
    await expectRight();
    const moved = [...(await vectors())].filter(([headline, { bytes }]) => before.get(headline)?.bytes !== bytes);
    expect(moved).toHaveLength(60);
    await publish(t, seller, sold(61));
    await expectRight();
  });

  test('do so whatever the order in which the listings came', async () => {
    await publishAll(60);
    await weigh();
    const first = { shares: await storedShares(), vectors: await vectors() };
    await open();
    // A word crosses its step, and back, on the way.
    await publishAll(60, (n) => (n * 37 + 5) % 60);
    await weigh();
    expect({ shares: await storedShares(), vectors: await vectors() }).toEqual(first);
  });

  test('weigh more again when listings say something else, and in full when too few are left', async () => {
    const ids = await publishAll(60);
    await weigh();
    for (const id of ids.slice(0, 20)) await edit(t, seller, id, { description: 'Something else altogether.' });
    await weigh();
    expect((await storedShares())[hashOf('zealous')]).toBe(50);
    await expectRight();
    for (const id of ids.slice(TEMPLATE_LISTINGS_MIN - 1)) {
      await t.call('DELETE', `/api/agents/seller/cards/${id}`, { key: seller.key });
    }
    await weigh();
    expect(await storedShares()).toEqual({});
    await expectRight();
  });

  test('are not matched again for it at once', async () => {
    await publishAll(60);
    const buyer = await newAgent(t, { handle: 'buyer', verified: true, pro: true });
    await publish(t, buyer, {
      ...listing(1, 'Wanted.'),
      card_type: 'buying',
      price_cents: undefined,
      budget_cents: 5_000,
    });
    const updated = async (): Promise<number[]> => {
      const { body } = await t.call('GET', '/api/agents/buyer/matches?limit=100', { key: buyer.key });
      return body.map(({ score }: { score: number }) => score);
    };
    const before = await updated();
    expect(before.length).toBeGreaterThan(0);
    await weigh();
    expect(await updated()).toEqual(before);
  });
});

test('a work that was cut off between the set and the vectors is finished', async () => {
  await publishAll(60);
  const { store } = t.service.world;
  // What stands on disk when a process dies right after the set was stored.
  await t.advance(1);
  const now_ms = t.clock.now();
  const sentence = ['zealous', 'artisans', 'guarantee', 'satisfaction'];
  const shares = Object.fromEntries([...sentence.map((word) => [hashOf(word), 75]), [hashOf('number'), 100]]);
  await store.turn({
    attempt: async (read) => {
      const row = await read(templateWordsOf, { id: 'selling' });
      if (!row) throw new Error('nothing asked for words to be weighed');
      return { reply: null, effects: [patch('template_words', row, { shares }), reweighLater('selling', now_ms)] };
    },
  });
  expect([...(await vectors()).values()].some(({ right }) => !right)).toBe(true);
  await t.advance(300_000);
  await t.service.world.tasks.idle();
  await expectRight();
  expect(await storedShares()).toEqual(shares);
});

test('in vectors of an outside embedder no word is weighed', async () => {
  const model = 'endpoint:test';
  const asked: string[] = [];
  await open({
    embedder: {
      ...builtInEmbedder,
      model,
      embed: async (texts) => {
        asked.push(...texts);
        return { ...(await builtInEmbedder.embed(texts)), model };
      },
    },
  });
  await publishAll(TEMPLATE_LISTINGS_MIN);
  await t.service.world.tasks.idle();
  const before = asked.length;
  await weigh();
  expect(await storedShares()).toEqual({});
  expect(asked.length).toBe(before);
});
