// Searching takes steps in proportion to what is read, and finds what `includes` finds.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeFinder } from '../../../src/domain/conversation/conversation.ts';
import { expectLinear, loadCounted } from '../../support/steps.ts';

describe('a search', () => {
  test('finds what includes finds, whatever the case', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'ß', '🪢'), maxLength: 40 });
    const sought = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'ß', '🪢'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(text, sought, (whole, q) => makeFinder(q)(whole) === whole.toLowerCase().includes(q.toLowerCase())),
      { numRuns: 2_000 },
    );
    expect(makeFinder('')('anything')).toBe(true);
  });

  test.each(['ab', 'a', 'aab', 'ba'])('of a text of %j takes steps in proportion to it', async (unit) => {
    const { makeFinder: of } = await loadCounted<typeof import('../../../src/domain/conversation/conversation.ts')>(
      './src/domain/conversation/conversation.ts',
    );
    for (const q of [`${'ab'.repeat(99)}zz`, `${'a'.repeat(199)}b`]) expectLinear(of(q), unit);
  });

  test('costs no more for each letter sought', async () => {
    const { makeFinder: of } = await loadCounted<typeof import('../../../src/domain/conversation/conversation.ts')>(
      './src/domain/conversation/conversation.ts',
    );
    const text = 'ab'.repeat(4_096);
    expectLinear((q) => of(`${q}zz`)(text), 'ab', 50);
  });
});
