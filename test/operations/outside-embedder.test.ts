// An outside embedder is waited for by nobody: a listing is matched by its labels and words before its answer, its vector
// follows in the background, durable, and the match is told once.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vectorOfListing } from '../../db/queries/match.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { builtInEmbedder } from '../../src/outbound/embedder/built-in.ts';
import type { Embedded, Embedder } from '../../src/outbound/embedder/embedder.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { dropStore } from '../support/store.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

const MODEL = 'endpoint:test';
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An endpoint that answers nobody until it is let go. */
class HangingEndpoint implements Embedder {
  readonly model = MODEL;
  readonly dimensions = 256;
  readonly closeness_floor = builtInEmbedder.closeness_floor;
  readonly #waiting: (() => void)[] = [];
  #hangs = true;
  asked = 0;
  cut = 0;

  async embed(texts: readonly string[], gone?: AbortSignal): Promise<Embedded> {
    this.asked += 1;
    gone?.addEventListener('abort', () => {
      this.cut += 1;
    });
    // It does not even heed the signal.
    if (this.#hangs) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { ...(await builtInEmbedder.embed(texts)), model: MODEL };
  }

  letGo(): void {
    this.#hangs = false;
    for (const go of this.#waiting.splice(0)) go();
  }
}

const SELLS = {
  card_type: 'selling',
  headline: 'Hand-made tea cups',
  labels: ['ceramics', 'tea'],
  price_cents: 40_000,
};
const BUYS = { ...SELLS, card_type: 'buying', price_cents: undefined, budget_cents: 50_000 };

let data_dir: string;
let t: TestService;
let endpoint: HangingEndpoint;
let seller: TestAgent;
let buyer: TestAgent;

async function open(embedder: Embedder): Promise<void> {
  t = await openTestService({}, 'memory', { data_dir, embedder });
}

beforeEach(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-embedder-'));
  endpoint = new HangingEndpoint();
  await open(endpoint);
  seller = await newAgent(t, { handle: 'potter', verified: true, pro: true });
  buyer = await newAgent(t, { handle: 'tea_house', verified: true, pro: true });
});
afterEach(async () => {
  await t.close();
  await dropStore(data_dir);
  rmSync(data_dir, { recursive: true, force: true });
});

async function card(agent: TestAgent, body: object): Promise<string> {
  const answer = await t.call('POST', `/api/agents/${agent.handle}/cards`, { key: agent.key, body });
  expect([answer.status, answer.body.status]).toEqual([201, 'live']);
  return answer.body.id;
}

async function matches(agent: TestAgent): Promise<object[]> {
  return (await t.call('GET', `/api/agents/${agent.handle}/matches`, { key: agent.key })).body;
}

async function told(agent: TestAgent): Promise<number> {
  const { body } = await t.call('GET', '/api/inbox?limit=50', { key: agent.key, agent: agent.handle });
  return body.events.filter(({ kind }: { kind: string }) => kind === 'match.created').length;
}

const modelOf = async (id: string): Promise<string | undefined> =>
  (await t.service.world.store.read(vectorOfListing, { id }))?.model;

describe('while the endpoint hangs', () => {
  test('a listing is answered and matched, turns of all agents go on, and its vector follows without a second word', async () => {
    const wanted = await card(buyer, BUYS);
    const offered = await card(seller, SELLS);
    expect(await matches(seller)).toHaveLength(1);
    expect([await told(seller), await told(buyer)]).toEqual([1, 1]);
    const renamed = await t.call('PATCH', '/api/agents/potter', { key: seller.key, body: { headline: 'Cups' } });
    expect(renamed.status).toBe(200);
    const edited = await t.call('PATCH', `/api/agents/potter/cards/${offered}`, {
      key: seller.key,
      body: { headline: 'Hand-made tea cups of stoneware' },
    });
    expect(edited.status).toBe(200);
    expect(await modelOf(offered)).not.toBe(MODEL);

    endpoint.letGo();
    await t.service.world.tasks.idle();
    expect([await modelOf(offered), await modelOf(wanted)]).toEqual([MODEL, MODEL]);
    const [vector] = (await builtInEmbedder.embed(['Hand-made tea cups of stoneware'])).vectors;
    expect(t.service.world.store.vectors.cosine(vector ?? new Int8Array(256), offered)).toBeGreaterThan(0.5);
    expect(await matches(seller)).toHaveLength(1);
    expect([await told(seller), await told(buyer)]).toEqual([1, 1]);
  });

  test('a host’s slots bound the calls, and each listing is asked for once', async () => {
    const cards = Array.from({ length: 12 }, (_, n) => card(seller, { ...SELLS, headline: `Tea cup number ${n}` }));
    const ids = await Promise.all(cards);
    await tick();
    expect(endpoint.asked).toBe(8);
    endpoint.letGo();
    await t.service.world.tasks.idle();
    expect(endpoint.asked).toBe(12);
    expect(new Set(await Promise.all(ids.map(modelOf)))).toEqual(new Set([MODEL]));
  });

  test('a stop cuts the calls off, and the service that starts next makes the vectors', async () => {
    const id = await card(seller, SELLS);
    await tick();
    expect(endpoint.asked).toBe(1);
    await t.close();
    expect(endpoint.cut).toBe(1);
    const next = new HangingEndpoint();
    next.letGo();
    await open(next);
    expect(await modelOf(id)).not.toBe(MODEL);
    await t.advance(300_000);
    expect(await modelOf(id)).toBe(MODEL);
    // Nothing is left to be asked for.
    await t.advance(DAY_MS);
    expect(next.asked).toBe(1);
  });

  test('an edit of other things than words keeps the vector, and asks for none', async () => {
    endpoint.letGo();
    const id = await card(seller, SELLS);
    await t.service.world.tasks.idle();
    const body = { price_cents: 30_000 };
    await t.call('PATCH', `/api/agents/potter/cards/${id}`, { key: seller.key, body });
    await t.service.world.tasks.idle();
    expect([endpoint.asked, await modelOf(id)]).toEqual([1, MODEL]);
  });
});

describe('a preview', () => {
  const preview = () =>
    t.call('POST', '/api/matching/preview', { key: buyer.key, body: { ...BUYS, labels: ['cups'] } });

  test('waits for the vector of its draft, and keeps it nowhere', async () => {
    endpoint.letGo();
    await card(seller, SELLS);
    await t.rest();
    const asked = endpoint.asked;
    const { body } = await preview();
    expect(endpoint.asked).toBe(asked + 1);
    expect(body).toMatchObject({ considered: 1, matches: [{ counterparty_handle: 'potter' }], note: null });
    expect(t.service.world.store.vectors.size).toBe(1);
  });

  test('is made of labels and words where the endpoint fails, and says so', async () => {
    await t.close();
    const failing: Embedder = {
      model: MODEL,
      dimensions: 256,
      closeness_floor: builtInEmbedder.closeness_floor,
      embed: (texts) => builtInEmbedder.embed(texts),
    };
    await open(failing);
    await card(seller, SELLS);
    const { status, body } = await preview();
    expect(status).toBe(200);
    expect(body.note).toBe('The meaning of the texts could not be compared now; only labels and words were used.');
    const [{ reasons }] = body.matches;
    expect(reasons[0]).toBe('the texts share telling words');
  });
});
