// Autocomplete: what is found for what was typed, in which order, and at what size of the table.
import { expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { newAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();

const names = async (q: string, more = ''): Promise<string[]> => {
  const { status, body } = await t.call('GET', `/api/labels?q=${encodeURIComponent(q)}${more}`);
  expect(status).toBe(200);
  return body.map(({ name }: { name: string }) => name);
};

test('a label that a live listing carries is found by every way of typing it, with its uses', async () => {
  const { key } = await newAgent(t, { handle: 'labeller', verified: true, pro: true });
  const card = { card_type: 'selling', headline: 'Nets', price_cents: 1, labels: ['Fishing Nets', 'C++', '釣り'] };
  await t.call('POST', '/api/agents/labeller/cards', { key, body: card });
  await t.call('POST', '/api/agents/labeller/cards', { key, body: { ...card, labels: ['fishing-nets'] } });
  for (const typed of ['fishing nets', 'FISH', 'nets', 'shing', ' fishing-n']) {
    expect((await t.call('GET', `/api/labels?q=${encodeURIComponent(typed)}`)).body[0]).toEqual({
      name: 'fishing-nets',
      kind: 'label',
      uses: 2,
    });
  }
  expect((await names('c++'))[0]).toBe('c-plus-plus');
  expect(await names('釣り')).toHaveLength(1);
});

test('other spellings find the label that stands for them, before any listing carries it', async () => {
  expect((await names('js'))[0]).toBe('javascript');
  expect((await names('UX design'))[0]).toBe('ui-ux');
});

test("a draft's labels stay its owner's", async () => {
  const { key } = await newAgent(t, { handle: 'secretive', verified: true });
  const body = { card_type: 'selling', headline: 'Soon', labels: ['unreleased-gadget'] };
  expect((await t.call('POST', '/api/agents/secretive/cards', { key, body })).body.status).toBe('draft');
  expect(await names('unreleased')).toEqual([]);
});

test('signs alone find nothing, nothing at all finds the most used, and wildcards mean themselves', async () => {
  expect(await names('!!!')).toEqual([]);
  expect((await names(''))[0]).toBe('fishing-nets');
  expect(await names('%25')).toEqual([]);
  expect(await names('fish_nets')).toEqual([]);
});

test('the page holds the best of 6,000 labels, whatever their place in the table', async () => {
  const { world } = t.service;
  const made = Array.from({ length: 6_000 }, (_, i) => {
    const name = i % 3 === 0 ? `quux-${i}` : i % 3 === 1 ? `a-quux-${i}` : `aquux-${i}`;
    return insert('labels', { id: name, uses: i, created_at: 0 });
  });
  const exact = insert('labels', { id: 'quux', uses: 0, created_at: 0 });
  await world.store.turn({ attempt: async () => ({ reply: null, effects: [...made, exact] }) });
  expect(await names('quux', '&limit=4')).toEqual(['quux', 'quux-5997', 'quux-5994', 'quux-5991']);
  expect((await names('quux', '&limit=100')).every((name) => name.startsWith('quux'))).toBe(true);
  expect((await t.call('GET', '/api/labels?q=quux&limit=101')).status).toBe(400);
});

test('of a table that strangers filled, the most used are searched and the rest found by their beginning alone', async () => {
  const { world } = t.service;
  const filled = 10_000;
  const made = Array.from({ length: filled }, (_, i) => insert('labels', { id: `x${i}`, uses: 10_000, created_at: 0 }));
  const rare = ['zebra-rare', 'my-zebra', 'inzebra'].map((id) => insert('labels', { id, uses: 1, created_at: 0 }));
  const often = insert('labels', { id: 'often-zebra', uses: 20_000, created_at: 0 });
  await world.store.turn({ attempt: async () => ({ reply: null, effects: [...made, ...rare, often] }) });
  expect(await names('zebra')).toEqual(['zebra-rare', 'often-zebra']);
  expect(await names('my-zebra')).toEqual(['my-zebra']);
  expect(await names('x', '&limit=2')).toEqual(['x0', 'x1']);
});

test('of labels that begin alike without end, a set number is looked at beside the most used', async () => {
  const { world } = t.service;
  const digits = (i: number) => String(i).padStart(5, '0');
  const made = Array.from({ length: 2_001 }, (_, i) =>
    insert('labels', { id: `yy${digits(i)}`, uses: i, created_at: 0 }),
  );
  await world.store.turn({ attempt: async () => ({ reply: null, effects: made }) });
  // The last one by name lies beyond what is looked at, and is still found by its whole name.
  expect(await names('yy', '&limit=1')).toEqual(['yy01999']);
  expect(await names('yy02000')).toEqual(['yy02000']);
});

test('a text that is longer than labels are finds nothing', async () => {
  expect(await names('x'.repeat(41))).toEqual([]);
  expect(await names('ab'.repeat(100))).toEqual([]);
});
