// Lists of numbers, short and long, hold what a plain array of arrays would, in any order of additions and removals.
import { expect, test } from 'bun:test';
import { Lists } from '../../db/vectors/lists.ts';
import { seeded } from '../support/dice.ts';

const contentOf = (lists: Lists, list: number): number[] => {
  const [numbers, start] = lists.placeOf(list);
  return Array.from(numbers.subarray(start, start + lists.lengthOf(list))).sort((a, b) => a - b);
};

test('lists hold what was put in and not taken out, and give room back', () => {
  const random = seeded(7);
  const below = (n: number): number => Math.floor(random() * n);
  const lists = new Lists();
  const plain: number[][] = Array.from({ length: 8 }, () => []);
  const isHeld = (): void => {
    const held = plain.map((_, list) => contentOf(lists, list));
    expect(held).toEqual(plain.map((own) => own.toSorted((a, b) => a - b)));
  };
  const step = (growing: boolean): void => {
    const list = below(plain.length);
    const own = plain[list] ?? [];
    if (below(10) < (growing ? 8 : 2)) {
      const value = below(1_000_000);
      own.push(value);
      lists.append(list, value);
    } else if (own.length > 0) {
      const at = below(own.length);
      const [numbers, start] = lists.placeOf(list);
      own.splice(own.indexOf(numbers[start + at] ?? -1), 1);
      lists.drop(list, at);
    }
  };
  for (let n = 0; n < 20_000; n++) step(true);
  isHeld();
  const held = plain.reduce((sum, own) => sum + own.length, 0);
  // A quarter more than they hold, and the pool of the short ones.
  expect(lists.room).toBeLessThan(held * 4 * 1.25 + 32_768);
  for (let n = 0; n < 60_000; n++) step(false);
  isHeld();
});
