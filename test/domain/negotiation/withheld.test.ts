// The numbers of what a side withholds: nobody else's, in order, and shown as a version of their own.
import { expect, test } from 'bun:test';
import { versionOf, withheldNumber, withheldRange } from '../../../src/domain/negotiation/proposal.ts';

test('what each side withholds is numbered by itself, apart from the other’s and from what both see', () => {
  const taken = new Set<number>();
  for (const by_opener of [true, false]) {
    const { above, below } = withheldRange(by_opener);
    let newest: number | null = null;
    for (const version of [1, 2, 3]) {
      const number: number = withheldNumber(newest, by_opener);
      expect([versionOf(number), number > above && number < below, number < 0, taken.has(number)]).toEqual([
        version,
        true,
        true,
        false,
      ]);
      expect(number).toBeLessThan(newest ?? 0);
      taken.add(number);
      newest = number;
    }
  }
  expect(versionOf(7)).toBe(7);
});
