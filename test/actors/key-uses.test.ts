// The last uses of keys, as they are written down: in turns that are short, however many keys there are.
import { expect, test } from 'bun:test';
import { KeyUses } from '../../actors/key-uses.ts';
import type { Effect } from '../../db/effects.ts';
import type { Store } from '../../db/store.ts';

/** A store that keeps the effects of each turn, and refuses those in between. */
function storeThatKeeps(refuses: (turn: number) => boolean = () => false) {
  const turns: (readonly Effect[])[] = [];
  let asked = 0;
  const read = async (_query: unknown, { id }: { id: string }) => ({ id, version: 1 });
  const turn = async (by: { attempt(read: unknown): Promise<{ effects?: readonly Effect[] }> }) => {
    asked += 1;
    if (refuses(asked)) throw new Error('the disk is full');
    turns.push((await by.attempt(read)).effects ?? []);
    return { reply: null };
  };
  return { turns, store: { turn } as unknown as Pick<Store, 'turn'> };
}

function noteKeys(uses: KeyUses, count: number): void {
  for (let n = 0; n < count; n++) uses.note(`key_${n}`, n);
}

test('a flush of many keys writes at most 250 of them in a turn, each once', async () => {
  const { turns, store } = storeThatKeeps();
  const uses = new KeyUses(store);
  noteKeys(uses, 1_001);
  await uses.flush();
  expect(turns.map((effects) => effects.length / 2)).toEqual([250, 250, 250, 250, 1]);
  expect(uses.unwritten('key_1000')).toBeNull();
  await uses.flush();
  expect(turns).toHaveLength(5);
});

test('what could not be written is written by the next flush, and nothing twice', async () => {
  const { turns, store } = storeThatKeeps((turn) => turn === 2);
  const uses = new KeyUses(store);
  noteKeys(uses, 300);
  await expect(uses.flush()).rejects.toThrow('the disk is full');
  expect([uses.unwritten('key_0'), uses.unwritten('key_299')]).toEqual([null, 299]);
  await uses.flush();
  expect(turns.map((effects) => effects.length / 2)).toEqual([250, 50]);
});
