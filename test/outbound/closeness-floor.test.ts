// Guards the floor of closeness: it follows the vectors of whatever model makes them, the built-in table or an endpoint, so
// that texts which have nothing to do with one another do not match for their model's sake.
import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { textCloseness } from '../../src/domain/match/match.ts';
import { createLog } from '../../src/log.ts';
import { BUILT_IN_MODEL, builtInEmbedder, embedText, textVectorOver } from '../../src/outbound/embedder/built-in.ts';
import type { Embedder } from '../../src/outbound/embedder/embedder.ts';
import { createEndpointEmbedder } from '../../src/outbound/embedder/endpoint.ts';
import { closenessFloor } from '../../src/outbound/embedder/floor.ts';
import tableFile from '../../src/outbound/embedder/table.bin' with { type: 'file' };
import { openTable } from '../../src/outbound/embedder/table.ts';
import { UNRELATED_TEXTS } from '../../src/outbound/embedder/unrelated.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { matchesOf, publish } from '../support/matches.ts';
import { openTestService } from '../support/testbed.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Direction 0 is what all vectors have in common; with this length two that have nothing else meet at about .7. */
const COMMON = 1.53;

/** The built-in vector at length 1 with a large part that all texts share, as some models have it. */
function withCommonPart(text: string): number[] {
  const vector = Array.from(embedText(text));
  const length = Math.hypot(...vector) || 1;
  return [COMMON, ...vector.slice(1).map((x) => x / length)];
}

interface Endpoint {
  readonly embedder: Embedder;
  readonly asked: string[][];
  refuses: (texts: readonly string[]) => boolean;
}

function openEndpoint(): Endpoint {
  const asked: string[][] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { input } = (await request.json()) as { input: string[] };
      asked.push(input);
      if (endpoint.refuses(input)) return new Response('', { status: 503 });
      return Response.json({ data: input.map((text, index) => ({ index, embedding: withCommonPart(text) })) });
    },
  });
  stops.push(() => server.stop(true));
  const url = `http://127.0.0.1:${server.port}`;
  const log = createLog('silent', 'text');
  const endpoint: Endpoint = {
    embedder: createEndpointEmbedder({ url, model: 'm', log }),
    asked,
    refuses: () => false,
  };
  return endpoint;
}

function cosine(a: Int8Array, b: Int8Array): number {
  const dot = (x: Int8Array, y: Int8Array): number => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test('the texts that the floor is made of are as many as an endpoint takes at once, and each has a trade of its own', () => {
  expect(UNRELATED_TEXTS.length).toBeWithin(40, 65);
  const headlines = new Set(UNRELATED_TEXTS.map((text) => text.split('\n')[0]));
  expect(headlines.size).toBe(UNRELATED_TEXTS.length);
  for (const text of UNRELATED_TEXTS) expect(text.length).toBeWithin(120, 1_500);
});

describe('of the built-in table', () => {
  const table = openTable(readFileSync(tableFile));

  test('it is what the vectors of this very table give', () => {
    const vectorOf = textVectorOver(table);
    expect(table.floor).toBe(closenessFloor(UNRELATED_TEXTS.map((text) => vectorOf(text))));
    expect(builtInEmbedder.closeness_floor).toBe(table.floor);
  });

  test('most pairs of unrelated texts lie below it, and what is alike lies above', () => {
    const vectors = UNRELATED_TEXTS.map((text) => embedText(text));
    const closeness = vectors.flatMap((a, i) =>
      vectors.slice(0, i).map((b) => textCloseness(table.floor, cosine(a, b))),
    );
    expect(closeness.filter((x) => x === 0).length / closeness.length).toBeWithin(0.5, 0.99);
    const alike = cosine(embedText('lawyer for a divorce'), embedText('attorney, family law'));
    expect(textCloseness(table.floor, alike)).toBeGreaterThan(0.2);
  });
});

describe('of an endpoint', () => {
  test('it is asked for with the first answer, once, and is that of its own vectors', async () => {
    const { embedder, asked } = openEndpoint();
    expect(embedder.closeness_floor).toBe(0.5);
    await embedder.embed(['a plumber']);
    await embedder.embed(['a baker']);
    expect(asked).toEqual([['a plumber'], [...UNRELATED_TEXTS], ['a baker']]);
    expect(embedder.closeness_floor).toBeWithin(0.7, 0.85);
    const { vectors } = await embedder.embed(UNRELATED_TEXTS);
    expect(embedder.closeness_floor).toBe(closenessFloor(vectors));
  });

  test('no vector of its model is given away before the floor is known', async () => {
    const endpoint = openEndpoint();
    endpoint.refuses = (texts) => texts.length > 1;
    expect((await endpoint.embedder.embed(['a plumber'])).model).toBe(BUILT_IN_MODEL);
    expect(endpoint.embedder.closeness_floor).toBe(0.5);
  });

  test('listings that have nothing in common do not match, however near all vectors of the model are', async () => {
    const { embedder } = openEndpoint();
    const t = await openTestService({}, 'memory', { embedder });
    stops.push(() => t.close());
    const seller = await newAgent(t, { handle: 'seller', verified: true, pro: true });
    const buyer = await newAgent(t, { handle: 'buyer', verified: true, pro: true });
    const put = async (agent: TestAgent, listing: object): Promise<void> => {
      await publish(t, agent, listing);
      await t.service.world.tasks.idle();
    };
    const sells = { card_type: 'selling', price_cents: 9_000 };
    await put(seller, { ...sells, headline: 'Roof repair, slates and gutters', labels: ['roofing'] });
    await put(seller, { ...sells, headline: 'Guitar lessons for beginners', labels: ['guitar'] });
    await put(seller, { ...sells, headline: 'Lawyer for a divorce', labels: ['family-law'] });
    const buys = { card_type: 'buying', budget_cents: 10_000, headline: 'Attorney for ending my marriage' };
    await put(buyer, { ...buys, labels: ['attorney'] });
    const matches: { their_listing: { headline: string } }[] = await matchesOf(t, buyer);
    expect(matches.map(({ their_listing }) => their_listing.headline)).toEqual(['Lawyer for a divorce']);
  });
});
