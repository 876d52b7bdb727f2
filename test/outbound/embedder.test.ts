// Guards the built-in embedder (its table, its sense of near and far, its speed of opening) and the endpoint embedder on
// a loopback server that behaves, and misbehaves, like an OpenAI-compatible one.

import { afterEach, describe, expect, test } from 'bun:test';
import { tableFile } from '../../scripts/embedder/table-file.ts';
import { stem } from '../../src/domain/text/stem.ts';
import type { Log, LogFields } from '../../src/log.ts';
import { BUILT_IN_MODEL, builtInEmbedder, embedText, terms, words } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import { createEndpointEmbedder } from '../../src/outbound/embedder/endpoint.ts';
import { openTable } from '../../src/outbound/embedder/table.ts';

function cosine(a: Int8Array, b: Int8Array): number {
  let product = 0;
  let aa = 0;
  let bb = 0;
  a.forEach((x, i) => {
    const y = b[i] ?? 0;
    product += x * y;
    aa += x * x;
    bb += y * y;
  });
  return product / Math.sqrt(aa * bb || 1);
}

const near = (a: string, b: string): number => cosine(embedText(a), embedText(b));

describe('words', () => {
  test('keep what carries meaning and drop the rest', () => {
    expect(words("The client's 12 naïve C++ and C# offers, e-mail: 50% off Ünïcode")).toEqual([
      ...['client', 'naive', 'c++', 'c#', 'offers', 'mail', 'unicode'],
    ]);
    expect(words('Сантехник 東京 x')).toEqual(['сантехник', '東京']);
    expect(words('y'.repeat(10_000))[0]).toHaveLength(40);
  });

  test.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['feed', 'feed'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['hopefulness', 'hope'],
    ['triplicate', 'triplic'],
    ['electrical', 'electr'],
    ['adoption', 'adopt'],
    ['replacement', 'replac'],
    ['probate', 'probat'],
    ['rate', 'rate'],
    ['cease', 'ceas'],
    ['controlling', 'control'],
    ['rolling', 'roll'],
    ['engineering', 'engin'],
    ['kubernetes', 'kubernet'],
  ])("Porter's stem of %s is %s", (word, expected) => expect(stem(word)).toBe(expected));

  test('meet in one term', () => {
    expect(new Set(terms('engineer engineers engineering engineered')).size).toBe(1);
  });
});

describe('the built-in embedder', () => {
  test('gives 256 bytes, the largest 127, the same every time and by both calls', async () => {
    const vector = embedText('Plumber for a leaking pipe');
    expect(vector).toHaveLength(EMBEDDING_DIMENSIONS);
    expect(Math.max(...vector.map(Math.abs))).toBe(127);
    expect(embedText('Plumber for a leaking pipe')).toEqual(vector);
    const { model, vectors } = await builtInEmbedder.embed(['', 'Plumber for a leaking pipe']);
    expect(model).toBe(BUILT_IN_MODEL);
    expect(vectors).toEqual([new Int8Array(EMBEDDING_DIMENSIONS), vector]);
  });

  test.each([
    ['fix my bike', 'bicycle repair', 'tax return for freelancers'],
    ['attorney, family law', 'lawyer for a divorce', 'wedding photographer'],
    ['docker containers in the cloud', 'kubernetes administrator', 'pastry chef'],
    ['rank higher in search results', 'SEO and backlinks', 'dog walking'],
    ['raising money for our startup', 'venture capital fund', 'house painting'],
    ['take care of my elderly mother', 'nursing at home', 'logo design'],
    ['invoices and tax returns', 'bookkeeper', 'guitar lessons'],
    ['React frontend', 'JavaScript developer', 'chemical reaction'],
  ])('%s is nearer to %s than to %s, which share no word with it', (query, fitting, other) => {
    expect(near(query, fitting)).toBeGreaterThan(near(query, other) + 0.2);
  });

  test('gives others their turn between the slices of many long texts', async () => {
    const texts = Array.from({ length: 8 }, (_, n) => `gardening and roses ${n} `.repeat(200));
    const turns: string[] = [];
    setImmediate(() => turns.push('another'));
    const { vectors } = await builtInEmbedder.embed(texts);
    turns.push('embedded');
    expect(turns).toEqual(['another', 'embedded']);
    expect(vectors).toEqual(texts.map((text) => embedText(text)));
  });

  test('tells unknown names apart, and near spellings of one as near', () => {
    expect(near('Zyntrexia', 'Zyntrexia')).toBeCloseTo(1, 5);
    expect(near('Zyntrexia', 'Zyntrexias')).toBeGreaterThan(0.1);
    expect(Math.abs(near('Zyntrexia', 'Qworblan'))).toBeLessThan(0.3);
  });

  test('takes any text without a fault', () => {
    for (const text of ['\ud800', '\0', '   ', '🚲🚲', 'a'.repeat(100_000), '__proto__ constructor', 'ﬁx ﷺ']) {
      expect(embedText(text)).toHaveLength(EMBEDDING_DIMENSIONS);
    }
  });
});

describe('the table file', () => {
  const vector = (seed: number): Float32Array => Float32Array.from({ length: 256 }, (_, i) => Math.sin(seed + i));

  test('finds every word that was laid in with its weight and direction, and none other', () => {
    const entries = Array.from({ length: 500 }, (_, n) => ({ stem: `w${n}`, weight: n / 100, vector: vector(n) }));
    const table = openTable(tableFile(entries));
    expect(table.words).toBe(500);
    entries.forEach(({ stem: name, weight, vector: laid }, n) => {
      const row = table.find(name);
      expect(row).toBe(n);
      expect(table.weights[row]).toBeCloseTo(weight, 4);
      const read = new Float32Array(256);
      table.add(read, row, 2);
      expect(Math.hypot(...read)).toBeCloseTo(2 * table.lengthOf(row), 3);
      const product = read.reduce((sum, x, i) => sum + x * (laid[i] ?? 0), 0);
      expect(product / (Math.hypot(...read) * Math.hypot(...laid))).toBeGreaterThan(0.99);
    });
    for (const missing of ['w', 'w500', 'w00', '', 'ŵ1', '__proto__']) expect(table.find(missing)).toBe(-1);
  });

  test('is refused when it is something else or cut short', () => {
    const bytes = tableFile([{ stem: 'a', weight: 1, vector: vector(1) }]);
    expect(() => openTable(bytes.slice(0, bytes.length - 1))).toThrow('cut short');
    expect(() => openTable(new Uint8Array(64))).toThrow('another format');
  });
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

interface Asked {
  readonly path: string;
  readonly authorization: string | null;
  readonly model: string;
  readonly input: string[];
  readonly dimensions?: number;
}

/** A loopback endpoint; `answer` gives the vector of a text, or a whole response. */
function endpoint(answer: (text: string, asked: Asked) => number[] | Response | Promise<Response>): {
  url: string;
  asked: Asked[];
} {
  const asked: Asked[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const body = (await request.json()) as Asked;
      const one = { ...body, path: new URL(request.url).pathname, authorization: request.headers.get('authorization') };
      asked.push(one);
      const data: object[] = [];
      for (const [index, text] of one.input.entries()) {
        const embedding = await answer(text, one);
        if (embedding instanceof Response) return embedding;
        data.unshift({ index, embedding });
      }
      return Response.json({ data });
    },
  });
  stops.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}/v1`, asked };
}

function recorder(): { log: Log; lines: [string, string, LogFields | undefined][] } {
  const lines: [string, string, LogFields | undefined][] = [];
  const note = (level: string) => (sentence: string, fields?: LogFields) => void lines.push([level, sentence, fields]);
  return { log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }, lines };
}

/** A vector of `length` that depends on the text only. */
const spell = (text: string, length: number): number[] =>
  Array.from({ length }, (_, i) => Math.sin(i * 1.7 + text.length) + text.charCodeAt(i % text.length) / 100);

describe('the endpoint embedder', () => {
  test('asks in batches with the key and the model, and keeps the order of the texts', async () => {
    const { url, asked } = endpoint((text) => spell(text, 256));
    const { log, lines } = recorder();
    const embedder = createEndpointEmbedder({ url, model: 'm1', key: 'k', log });
    const texts = Array.from({ length: 150 }, (_, i) => `text ${'x'.repeat(i)}`);
    const { model, vectors } = await embedder.embed(texts);
    expect(model).toBe('endpoint:m1');
    // The last is what the floor of closeness is made of.
    expect(asked.map(({ input }) => input.length)).toEqual([64, 64, 22, 40]);
    expect(asked[0]).toMatchObject({ path: '/v1/embeddings', authorization: 'Bearer k', model: 'm1', dimensions: 256 });
    expect((await embedder.embed([texts[149] ?? ''])).vectors[0]).toEqual(vectors[149]);
    expect(vectors[149]).not.toEqual(vectors[0]);
    expect(lines).toEqual([]);
  });

  test('takes models that have one length only, longer or shorter than ours, and keeps what is near near', async () => {
    for (const length of [8, 1536]) {
      const { url, asked } = endpoint((text, { dimensions }) =>
        dimensions === undefined ? spell(text, length) : new Response('no such parameter', { status: 400 }),
      );
      const embedder = createEndpointEmbedder({ url: `${url}/embeddings/`, model: 'm', log: recorder().log });
      const [a, b] = (await embedder.embed(['one text', 'another text'])).vectors;
      const straight = cosine(
        Int8Array.from(spell('one text', length).map((x) => x * 50)),
        Int8Array.from(spell('another text', length).map((x) => x * 50)),
      );
      expect(cosine(a ?? new Int8Array(), b ?? new Int8Array())).toBeCloseTo(straight, length === 8 ? 1 : 0);
      await embedder.embed(['third']);
      expect(asked.map(({ dimensions }) => dimensions)).toEqual([256, undefined, undefined, undefined]);
      expect(asked[0]?.path).toBe('/v1/embeddings');
    }
  });

  test('gives half as many texts to an endpoint that refuses them, and remembers it', async () => {
    for (const status of [400, 413, 422]) {
      const { url, asked } = endpoint((text, { input }) =>
        input.length > 10 ? new Response('too many inputs', { status }) : spell(text, 256),
      );
      const { log, lines } = recorder();
      const embedder = createEndpointEmbedder({ url, model: 'm', log });
      const texts = Array.from({ length: 30 }, (_, i) => `text ${'x'.repeat(i)}`);
      const { model, vectors } = await embedder.embed(texts);
      expect([model, vectors.length, lines]).toEqual(['endpoint:m', 30, []]);
      expect(asked.slice(-6).map(({ input }) => input.length)).toEqual([6, 8, 8, 8, 8, 8]);
      expect((await embedder.embed(texts.slice(0, 12))).model).toBe('endpoint:m');
      expect(asked.slice(-2).map(({ input }) => input.length)).toEqual([8, 4]);
      // The length of the vectors was not what it refused.
      expect(asked.at(-1)?.dimensions).toBe(256);
    }
  });

  test('tells the log what the endpoint answered, without the key', async () => {
    const answer = `{"error": "no such model for sk-secret\n${'x'.repeat(400)}"}`;
    const { url } = endpoint(() => new Response(answer, { status: 400 }));
    const { log, lines } = recorder();
    const embedder = createEndpointEmbedder({ url, model: 'm', key: 'sk-secret', log });
    expect((await embedder.embed(['a', 'b'])).model).toBe(BUILT_IN_MODEL);
    const told = JSON.stringify(lines);
    expect(told).toContain('it answered 400: {\\"error\\": \\"no such model for … xxx');
    expect(told).not.toContain('x'.repeat(201));
  });

  test('falls back to the built-in one with a single warning, and returns to it after a while', async () => {
    let healthy = false;
    const { url, asked } = endpoint((text) => (healthy ? spell(text, 256) : new Response('', { status: 503 })));
    const { log, lines } = recorder();
    let now = 0;
    const embedder = createEndpointEmbedder({ url, model: 'm', log, now: () => now });
    const fallen = { model: BUILT_IN_MODEL, vectors: [embedText('a plumber')] };
    expect(await embedder.embed(['a plumber'])).toEqual(fallen);
    expect(await embedder.embed(['a plumber'])).toEqual(fallen);
    expect(asked).toHaveLength(1);
    now = 60_000;
    expect(await embedder.embed(['a plumber'])).toEqual(fallen);
    expect(asked).toHaveLength(2);
    healthy = true;
    now = 120_000;
    expect((await embedder.embed(['a plumber'])).model).toBe('endpoint:m');
    expect(lines.map(([level]) => level)).toEqual(['warn', 'info']);
    expect(lines[0]?.[2]).toEqual({ error_text: 'it answered 503' });
  });

  test.each([
    ['too few vectors', () => Response.json({ data: [] })],
    ['no JSON', () => new Response('<html>')],
    ['another shape', () => Response.json([1, 2])],
    ['what are not numbers', () => Response.json({ data: [{ index: 0, embedding: [1, null] }] })],
    ['an index out of range', () => Response.json({ data: [{ index: 4, embedding: [1, 2] }] })],
    ['an empty vector', () => Response.json({ data: [{ index: 0, embedding: [] }] })],
    ['a redirect', () => Response.redirect('http://127.0.0.1:9/', 307)],
  ])('does not believe an endpoint that answers %s', async (_, answer) => {
    const { url } = endpoint(answer);
    const { log, lines } = recorder();
    const { model } = await createEndpointEmbedder({ url, model: 'm', log }).embed(['text']);
    expect(model).toBe(BUILT_IN_MODEL);
    expect(lines).toHaveLength(1);
  });

  test('holds an endpoint to the length of its first vectors', async () => {
    let length = 256;
    const { url } = endpoint((text) => spell(text, length));
    const { log, lines } = recorder();
    const embedder = createEndpointEmbedder({ url, model: 'm', log });
    expect((await embedder.embed(['text'])).model).toBe('endpoint:m');
    length = 128;
    expect((await embedder.embed(['text'])).model).toBe(BUILT_IN_MODEL);
    expect(lines[0]?.[2]).toEqual({ error_text: 'the vectors have 128 numbers, 256 before' });
  });

  test('does not wait longer than its deadline, and stands a server that is not there', async () => {
    const { url } = endpoint(() => new Promise<Response>(() => {}));
    const slow = createEndpointEmbedder({ url, model: 'm', log: recorder().log, timeout_ms: 50 });
    expect((await slow.embed(['text'])).model).toBe(BUILT_IN_MODEL);
    const gone = createEndpointEmbedder({ url: 'http://127.0.0.1:9', model: 'm', log: recorder().log });
    expect((await gone.embed(['text'])).model).toBe(BUILT_IN_MODEL);
    expect(() => createEndpointEmbedder({ url: 'file:///etc/passwd', model: 'm', log: recorder().log })).toThrow(
      'http',
    );
  });
});
