// Text comes back as it was sent: the naughty strings as headline and description of a listing, or a clear refusal.
// Vectors made anew, and vectors sent.

import { beforeAll, describe, expect, test } from 'bun:test';
import { vectorOfListing } from '../../db/queries/match.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { naughtyStrings } from '../support/corpus.ts';
import { sampled } from '../support/nightly.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();
let agent: TestAgent;
beforeAll(async () => {
  agent = await newAgent(t, { handle: 'texts', verified: true, pro: true });
});

const CARD = { card_type: 'selling', headline: 'Text', labels: ['text'], price_cents: 1 };
const create = (part: object): Promise<TestAnswer> =>
  t.call('POST', '/api/agents/texts/cards', { key: agent.key, body: { ...CARD, ...part } });

/** The field that a refusal names first: for its form, or for private data in it. A trade is refused by its name. */
function refusedField(body: TestAnswer['body']): string | null {
  if (body.error === 'restricted_niche') return null;
  return body.error === 'disclosure_refused' ? body.matches[0].field : body.fields[0].path;
}

test('every naughty string comes back as it was sent, or is refused by the name of its field or trade', async () => {
  let kept = 0;
  for (const text of sampled(naughtyStrings())) {
    const { status, body } = await create({ headline: text, description: `about: ${text}`, active: false });
    if (status === 201) {
      kept += 1;
      expect(body).toMatchObject({ headline: text, description: `about: ${text}` });
      const again = await t.call('GET', `/api/agents/texts/cards/${body.id}`, { key: agent.key });
      expect(again.body).toEqual(body);
      await t.call('DELETE', `/api/agents/texts/cards/${body.id}`, { key: agent.key });
    } else {
      expect(status).toBe(400);
      expect(['headline', 'description', null]).toContain(refusedField(body));
    }
  }
  expect(kept).toBeGreaterThan(0);
}, 600_000);

test('every naughty string is a label of a-z, 0-9 and hyphens, or refused as labels.0', async () => {
  for (const text of sampled(naughtyStrings())) {
    const { status, body } = await create({ labels: [text], active: false });
    if (status === 201) {
      expect(body.labels[0]).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      await t.call('DELETE', `/api/agents/texts/cards/${body.id}`, { key: agent.key });
    } else {
      expect(status).toBe(400);
      expect(['labels.0', null]).toContain(refusedField(body));
    }
  }
}, 600_000);

test('fields and preferences named like parts of every object are ordinary names', async () => {
  const fields = JSON.parse('{"__proto__": {"admin": true}, "constructor": "x", "toString": 1}');
  const { status, body } = await create({ fields, conditions: { weighted_preferences: { constructor: 0.5 } } });
  expect(status).toBe(201);
  expect(body.fields.constructor).toBe('x');
  expect(body.conditions.preferences).toEqual([{ label: 'constructor', weight: 0.5 }]);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

describe('vectors', () => {
  const embeddings = (body?: object): Promise<TestAnswer> =>
    t.call('POST', '/api/agents/texts/embeddings', { key: agent.key, body });
  const stored = async (id: string): Promise<number[]> => [
    ...new Int8Array((await t.service.world.store.read(vectorOfListing, { id }))?.vector ?? []),
  ];

  test("are made anew from the listing's text by an empty body, for live listings alone", async () => {
    const { body: live } = await create({ headline: 'Violin lessons' });
    const { body: draft } = await create({ headline: 'Cello lessons', price_cents: undefined });
    const made = await stored(live.id);
    expect(made).toHaveLength(256);
    const sent = Array.from({ length: 256 }, (_, i) => (i === 3 ? 1 : 0));
    const { status, body } = await embeddings({ vector: sent });
    expect(status).toBe(200);
    expect(body).toMatchObject({ handle: 'texts', dimensions: 256 });
    expect(body.updated).toBeGreaterThan(0);
    expect((await stored(live.id)).indexOf(127)).toBe(3);
    expect((await embeddings()).body.updated).toBe(body.updated);
    expect(await stored(live.id)).toEqual(made);
    expect(await stored(draft.id)).toEqual([]);
  });

  test('of an edited listing are those of its new text, to which its place does not belong', async () => {
    const { body: live } = await create({ headline: 'Violin lessons' });
    const before = await stored(live.id);
    const edit = (body: object) => t.call('PATCH', `/api/agents/texts/cards/${live.id}`, { key: agent.key, body });
    await edit({ geo: 'Lisbon' });
    expect(await stored(live.id)).toEqual(before);
    await edit({ headline: 'Violin lessons for children' });
    expect(await stored(live.id)).not.toEqual(before);
  });

  test('of another length are refused, of another model not kept', async () => {
    const wrong = await embeddings({ vector: [1, 2, 3] });
    expect(wrong.status).toBe(400);
    expect(wrong.body.fields).toEqual([{ path: 'vector', message: 'Give 256 numbers, not 3.' }]);
    const foreign = await embeddings({ vector: new Array(256).fill(1), model: 'somebody-elses' });
    expect({ status: foreign.status, updated: foreign.body.updated }).toEqual({ status: 200, updated: 0 });
  });
});
