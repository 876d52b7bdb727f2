// Guarantees of the inbox: gapless seqs, and read marks that are exact in any order and bounded in size.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addRange, nextPoll, parseReadMarks, unreadCount } from '../../../src/domain/inbox/inbox.ts';

describe('reading a range', () => {
  test.each([
    ['', 1, 50, '1-50'],
    ['', 7, 7, '7'],
    ['1-50', 51, 60, '1-60'],
    ['1-50', 52, 60, '1-50,52-60'],
    ['1-50,52-60', 51, 51, '1-60'],
    ['1-50', 10, 20, '1-50'],
    ['10-20', 1, 50, '1-50'],
    ['10-20,30-40,50', 15, 49, '10-50'],
    ['60-61', 1, 50, '1-50,60-61'],
    ['5', 4, 4, '4-5'],
    ['1-5', 0, 3, '1-5'],
    ['1-5', 9, 8, '1-5'],
    ['1-5', Number.NaN, 8, '1-5'],
  ])('%p, then %p to %p, leaves %p', (text, from, to, after) => expect(addRange(text, from, to)).toBe(after));
});

test('what was read, and only that, is marked, whatever the order', () => {
  const range = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 20 }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 40 }), (ranges) => {
      const seen = new Set<number>();
      let text = '';
      for (const [from, more] of ranges) {
        for (let seq = from; seq <= from + more; seq++) seen.add(seq);
        text = addRange(text, from, from + more);
      }
      const marked = parseReadMarks(text);
      for (let seq = 0; seq <= 330; seq++) expect(marked(seq)).toBe(seen.has(seq));
      expect(text).toMatch(/^$|^\d+(-\d+)?(,\d+(-\d+)?)*$/);
    }),
  );
});

test('a reader that leaves a gap everywhere cannot grow the marks: the oldest gaps close', () => {
  let text = '';
  for (let seq = 1; seq <= 20_001; seq += 2) text = addRange(text, seq, seq);
  expect(text.split(',').length).toBe(256);
  expect([2, 20_000, 20_001, 20_002].map(parseReadMarks(text))).toEqual([true, false, true, false]);
});

test('the next pull is in a minute while something awaits an answer, else in fifteen', () => {
  expect([nextPoll(0, false), nextPoll(1, false), nextPoll(99, true), nextPoll(0, true)]).toEqual([900, 60, 60, 60]);
});

test('unread are the seqs up to the head that no mark holds', () => {
  for (const [text, head, unread] of [
    ['', 0, 0],
    ['', 7, 7],
    ['1-7', 7, 0],
    ['1-3,6', 7, 3],
    ['5-9', 7, 4],
    ['9-12', 7, 7],
  ] as const) {
    expect(unreadCount(text, head)).toBe(unread);
  }
});
