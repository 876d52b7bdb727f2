// What an agent knows: its own side adds, lists, finds and removes it, nobody else reads a private word of it, and it holds no more
// than it may, however many add at once.
import { describe, expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { knowledgeById } from '../../db/queries/knowledge.ts';
import type { Row } from '../../db/schema/tables.ts';
import { builtInEmbedder } from '../../src/outbound/embedder/built-in.ts';
import type { Embedder } from '../../src/outbound/embedder/embedder.ts';
import { publicKnowledge } from '../../src/steps/knowledge/search.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import { readStoredRows } from '../support/store.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';

/** An embedder elsewhere, which can be down: then the built-in one answers under its own name. It is asked slowly on demand. */
const endpoint = { up: true, hangs: false };
const embedder: Embedder = {
  model: 'endpoint:test',
  dimensions: 256,
  closeness_floor: builtInEmbedder.closeness_floor,
  embed: async (texts, gone) => {
    if (endpoint.hangs) await new Promise((resolve) => gone?.addEventListener('abort', resolve, { once: true }));
    const answer = await builtInEmbedder.embed(texts);
    return endpoint.up ? { ...answer, model: 'endpoint:test' } : answer;
  },
};

const t = sharedService();
let names = 0;

const fresh = (): Promise<TestAgent> => newAgent(t, { handle: `knows_${++names}`, verified: true });

type Added = Readonly<Record<string, unknown>>;
const add = ({ key }: TestAgent, body: Added, on = t): Promise<TestAnswer> =>
  on.call('POST', '/api/knowledge', { key, body });
const list = ({ key }: TestAgent, query = ''): Promise<TestAnswer> => t.call('GET', `/api/knowledge${query}`, { key });
const search = ({ key }: TestAgent, q: string, more = '', on = t): Promise<TestAnswer> =>
  on.call('GET', `/api/knowledge/search?q=${encodeURIComponent(q)}${more}`, { key });
const removed = ({ key }: TestAgent, id: string): Promise<TestAnswer> =>
  t.call('DELETE', `/api/knowledge/${id}`, { key });
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const texts = ({ body }: TestAnswer): string[] => body.map(({ text }: { text: string }) => text);

async function rowOf(id: string, on = t): Promise<Row<'knowledge'>> {
  const row = await on.service.world.store.read(knowledgeById, { id });
  if (!row) throw new Error('the entry is gone');
  return row;
}

/** All background work of a service that is at hand. */
async function settle(on: TestService): Promise<void> {
  await on.rest();
  await on.service.world.tasks.idle();
}

async function counts({ id }: TestAgent): Promise<number[]> {
  const sql = `select id, n from counters where id in ('knowledge:${id}', 'knowledge_characters:${id}') order by id`;
  return (await readStoredRows(t.service.world.settings.data_dir, sql)).map(({ n }) => Number(n));
}

const DELIVERY = { title: 'Delivery', text: 'Ropes up to 50 metres leave within two days by courier.' };
const DOCTORS = { text: 'Our physicians see patients on weekdays. The clinic has two doctors.' };
const DOG = { text: 'The office dog is called Bruno and likes carrots.' };

describe('an entry', () => {
  test('is answered 201, listed newest first as it was given, and gone once it is removed', async () => {
    const ada = await fresh();
    const first = await add(ada, DELIVERY);
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: expect.any(String),
        title: 'Delivery',
        public: false,
        created_at: new Date(t.clock.now()).toISOString(),
        characters: DELIVERY.title.length + DELIVERY.text.length,
      },
    ]);
    await add(ada, { ...DOG, public: true });
    const { body } = await list(ada);
    expect(body.map(({ title, text, public: open }: Added) => [title, text, open])).toEqual([
      ['', DOG.text, true],
      ['Delivery', DELIVERY.text, false],
    ]);
    const { id } = first.body;
    expect((await removed(ada, id)).body).toEqual({ removed: true, id });
    expect(said(await removed(ada, id))).toBe('404 not_found');
    expect(texts(await list(ada))).toEqual([DOG.text]);
    expect(await counts(ada)).toEqual([1, DOG.text.length]);
  });

  test('stands on pages', async () => {
    const ada = await fresh();
    for (const text of ['one', 'two', 'three']) await add(ada, { text });
    const page = await list(ada, '?limit=2');
    expect(texts(page)).toEqual(['three', 'two']);
    const next = await list(ada, `?limit=2&cursor=${page.headers.get('x-next-cursor')}`);
    expect([texts(next), next.headers.get('x-next-cursor')]).toEqual([['one'], null]);
  });

  test.each<[what: string, body: Added, path: string]>([
    ['without a text', { title: 'Delivery' }, 'text'],
    ['of blanks', { text: '  \n ' }, 'text'],
    ['that is too long', { text: 'a'.repeat(20_001) }, 'text'],
    ['with a title that is too long', { text: 'a', title: 'a'.repeat(201) }, 'title'],
    ['that is public by a word', { text: 'a', public: 'yes' }, 'public'],
  ])('%s is refused', async (_, body, path) => {
    const answer = await add(await fresh(), body);
    expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', path]);
  });

  test('of another agent is not there', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    const { id } = (await add(ada, { ...DELIVERY, public: true })).body;
    expect(said(await removed(bob, id))).toBe('404 not_found');
    expect((await list(bob)).body).toEqual([]);
    expect((await search(bob, 'ropes')).body).toEqual([]);
    expect((await search(bob, 'ropes', '&public=true')).body).toEqual([]);
    expect(texts(await list(ada))).toEqual([DELIVERY.text]);
  });

  test('takes the right to write, and the right to read', async () => {
    const ada = await fresh();
    const reads = { ...ada, key: await keyWith(t, ada.email, ['agents:read']) };
    const writes = { ...ada, key: await keyWith(t, ada.email, ['agents:write']) };
    expect(said(await add(reads, DOG))).toBe('403 insufficient_scope');
    const { id } = (await add(writes, DOG)).body;
    expect([said(await list(writes)), said(await search(writes, 'dog'))]).toEqual(
      Array(2).fill('403 insufficient_scope'),
    );
    expect(texts(await list(reads))).toEqual([DOG.text]);
    expect(said(await removed(reads, id))).toBe('403 insufficient_scope');
  });
});

describe('disclosure', () => {
  test.each<[what: string, body: Added, field: string]>([
    ['its text', { text: 'Write to ada@example.org instead.' }, 'text'],
    ['its title', { title: 'Call +1 415 555 0123', text: 'For ropes.' }, 'title'],
    ['title and text together', { title: 'Call +1 415', text: '555 0123 for ropes.' }, 'title'],
  ])('a public entry tells nothing of its person by %s; a private one may', async (_, body, field) => {
    const ada = await fresh();
    const answer = await add(ada, { ...body, public: true });
    expect(said(answer)).toBe('400 disclosure_refused');
    expect(answer.body.matches[0].field).toBe(field);
    expect((await list(ada)).body).toEqual([]);
    expect((await add(ada, body)).status).toBe(201);
    expect(texts(await list(ada))).toEqual([String(body['text'])]);
  });
});

describe('a search', () => {
  test('finds by words, by numbers and by meaning, the best first', async () => {
    const ada = await fresh();
    for (const body of [DELIVERY, DOCTORS, DOG]) expect((await add(ada, body)).status).toBe(201);
    await settle(t);
    expect(texts(await search(ada, 'what is the dog called?'))[0]).toBe(DOG.text);
    expect(texts(await search(ada, '50'))).toEqual([DELIVERY.text]);
    // No word in common.
    const [medical] = (await search(ada, 'medicine')).body;
    expect(medical).toMatchObject({ text: DOCTORS.text, by_meaning: true, public: false });
    expect(medical.score).toBeGreaterThan(0.05);
    const all = await search(ada, 'dog doctors courier');
    expect(all.body).toHaveLength(3);
    const scores: number[] = all.body.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect((await search(ada, 'dog doctors courier', '&limit=1')).body).toHaveLength(1);
    expect((await search(ada, 'quantum chromodynamics')).body).toEqual([]);
    expect(said(await search(ada, ' '))).toBe('400 invalid_request');
  });

  test('finds in scripts without spaces', async () => {
    const ada = await fresh();
    await add(ada, { text: '配送は二日以内です。' });
    await add(ada, { text: '返金は三十日以内です。' });
    expect(texts(await search(ada, '配送について'))[0]).toBe('配送は二日以内です。');
  });

  test('looks through more than one slice', async () => {
    const ada = await fresh();
    await add(ada, DOG);
    for (let n = 0; n < 21; n += 1) await add(ada, { text: `Rope number ${n} is hemp.` });
    expect(texts(await search(ada, 'Bruno'))).toEqual([DOG.text]);
    expect((await search(ada, 'hemp', '&limit=50')).body).toHaveLength(21);
  });

  test('keeps the vector as floats of length 1, with the model', async () => {
    const { id } = (await add(await fresh(), DOCTORS)).body;
    await settle(t);
    const { model, vector } = await rowOf(id);
    expect([model, vector?.byteLength]).toEqual([builtInEmbedder.model, 1_024]);
    const floats = new Float32Array(new Uint8Array(vector ?? []).buffer);
    expect(Math.hypot(...floats)).toBeCloseTo(1, 5);
  });
});

describe('an embedder elsewhere', () => {
  test('brings the vector once it answers; until then, and for another model, the words decide alone', async () => {
    const own = await openTestService({}, 'memory', { embedder });
    try {
      endpoint.up = false;
      const ada = await newAgent(own, { handle: 'far_away', verified: true });
      const { id } = (await add(ada, DOCTORS, own)).body;
      await settle(own);
      expect((await rowOf(id, own)).vector).toBeNull();
      const [found] = (await search(ada, 'clinic', '', own)).body;
      expect(found).toMatchObject({ id, by_meaning: false });
      expect((await search(ada, 'medicine', '', own)).body).toEqual([]);
      endpoint.up = true;
      await own.advance(300_000);
      await settle(own);
      expect((await rowOf(id, own)).model).toBe('endpoint:test');
      expect((await search(ada, 'medicine', '', own)).body[0]).toMatchObject({ id, by_meaning: true });
      // Who searches is not kept waiting.
      endpoint.hangs = true;
      expect((await search(ada, 'clinic', '', own)).body[0]).toMatchObject({ id, by_meaning: false });
      endpoint.hangs = false;
      const other = { ...(await rowOf(id, own)), id: own.service.world.id(), model: 'endpoint:before' };
      await own.service.world.store.turn({
        attempt: async () => ({ reply: null, effects: [insert('knowledge', other)] }),
      });
      const both = (await search(ada, 'clinic', '', own)).body;
      expect(both.map(({ id: each, by_meaning }: Added) => [each, by_meaning])).toEqual([
        [id, true],
        [other.id, false],
      ]);
    } finally {
      Object.assign(endpoint, { up: true, hangs: false });
      await own.close();
    }
  });

  test('finds nothing to do for an entry that was removed meanwhile', async () => {
    const own = await openTestService({}, 'memory', { embedder });
    try {
      endpoint.up = false;
      const ada = await newAgent(own, { handle: 'far_gone', verified: true });
      const { id } = (await add(ada, DOCTORS, own)).body;
      await settle(own);
      endpoint.up = true;
      await own.call('DELETE', `/api/knowledge/${id}`, { key: ada.key });
      await own.advance(300_000);
      await settle(own);
      const left = "select id from reminders where operation = 'knowledge.embed'";
      expect(await readStoredRows(own.service.world.settings.data_dir, left)).toEqual([]);
    } finally {
      endpoint.up = true;
      await own.close();
    }
  });
});

describe('an agent holds no more', () => {
  test('than 200 entries, however many are added at once', async () => {
    const ada = await fresh();
    for (let n = 0; n < 195; n += 1) await add(ada, { text: `rope ${n}` });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => add(ada, { text: `late rope ${n}` })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.length - refused.length).toBe(5);
    expect(refused[0]?.body).toMatchObject({ error: 'knowledge_full', what: 'entries', limit: 200, used: 200 });
    expect(said(refused[0] as TestAnswer)).toBe('409 knowledge_full');
    expect(refused[0]?.body.message).toContain('200');
    const { body } = await list(ada, '?limit=1');
    await removed(ada, body[0].id);
    expect((await add(ada, { text: 'one more' })).status).toBe(201);
    expect((await counts(ada))[0]).toBe(200);
  });

  test('than 1,000,000 characters', async () => {
    const ada = await fresh();
    const text = 'rope '.repeat(4_000);
    for (let n = 0; n < 49; n += 1) expect((await add(ada, { text })).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 4 }, () => add(ada, { text })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const refused = await add(ada, { text: 'r' });
    expect(refused.body).toMatchObject({
      error: 'knowledge_full',
      what: 'characters',
      limit: 1_000_000,
      used: 1_000_000,
    });
    // A refusal by the second limit leaves the first count as it was.
    expect(await counts(ada)).toEqual([50, 1_000_000]);
  });
});

describe('for others', () => {
  const ask = ({ id }: TestAgent, question: string, limit = 5): Promise<string[]> =>
    publicKnowledge(t.service.world.store.read, id, [{ question, meaning: null, limit }]).then(([found = []]) =>
      found.map(({ entry }) => entry.text),
    );

  test('there are public entries alone, the best first', async () => {
    const ada = await fresh();
    await add(ada, { text: 'Secretly ropes cost us 2 dollars a metre.' });
    await add(ada, { text: 'Ropes cost 5 dollars a metre.', public: true });
    await add(ada, { text: 'Ropes are made of hemp.', public: true });
    await add(ada, { ...DOG, public: true });
    await settle(t);
    expect(await ask(ada, 'What do ropes cost a metre?')).toEqual([
      'Ropes cost 5 dollars a metre.',
      'Ropes are made of hemp.',
    ]);
    expect(await ask(ada, 'ropes', 1)).toHaveLength(1);
    expect(await ask(ada, 'secretly us 2 dollars')).toEqual(['Ropes cost 5 dollars a metre.']);
    expect(await ask(ada, 'secretly')).toEqual([]);
    expect(await ask(await fresh(), 'ropes')).toEqual([]);
    expect(texts(await search(ada, 'ropes', '&public=true')).toSorted()).toEqual([
      'Ropes are made of hemp.',
      'Ropes cost 5 dollars a metre.',
    ]);
  });

  test('a private entry does not even move the scores', async () => {
    const [ada, bob] = [await fresh(), await fresh()];
    for (const who of [ada, bob]) {
      for (const text of ['Ropes cost 5 dollars.', 'Ropes are made of hemp.']) await add(who, { text, public: true });
    }
    for (let n = 0; n < 12; n += 1) await add(ada, { text: `Hemp is bought from seller ${n}.` });
    const scores = async (who: TestAgent): Promise<number[]> =>
      (await search(who, 'hemp ropes', '&public=true')).body.map(({ score }: { score: number }) => score);
    expect(await scores(ada)).toEqual(await scores(bob));
  });

  test('however many there are, they are found among the private ones', async () => {
    const ada = await fresh();
    await add(ada, { ...DOG, public: true });
    for (let n = 0; n < 25; n += 1) await add(ada, { text: `Bruno ate carrot ${n}.` });
    expect(await ask(ada, 'Bruno', 50)).toEqual([DOG.text]);
  });
});

describe('who leaves', () => {
  test('takes it along, without what was made of it', async () => {
    const ada = await fresh();
    for (let n = 0; n < 23; n += 1) await add(ada, { text: `rope ${n}`, public: n === 0 });
    await settle(t);
    const { body } = await t.call('GET', '/api/account/export', { token: ada.token });
    expect(body.sections.knowledge).toHaveLength(23);
    expect(body.sections.knowledge.at(-1)).toEqual({
      id: expect.any(String),
      title: '',
      text: 'rope 0',
      public: true,
      created_at: expect.any(String),
    });
    expect(new Set(body.sections.knowledge.map(({ id }: Added) => id)).size).toBe(23);
  });

  test('leaves none of it behind', async () => {
    const ada = await fresh();
    for (let n = 0; n < 105; n += 1) await add(ada, { text: `rope ${n}` });
    expect((await t.call('DELETE', '/api/account', { token: ada.token })).status).toBe(200);
    await settle(t);
    const { data_dir } = t.service.world.settings;
    expect(await readStoredRows(data_dir, `select id from knowledge where agent_id = '${ada.id}'`)).toEqual([]);
    expect(await counts(ada)).toEqual([0, 0]);
  });
});
