// Texts are read in windows: none holds more than is read in one piece, together they hold every character, and what stands where
// two of them meet is found.
import { describe, expect, test } from 'bun:test';
import { matchesIn, readTogether } from '../../../src/domain/disclosure/disclosure.ts';
import type { Disclosable } from '../../../src/domain/disclosure/finding.ts';
import { windowsOf } from '../../../src/domain/disclosure/windows.ts';

const PIECE_MAX = 1_600;
const PROSE = 'We draw friendly logos for small shops and bakeries. ';

const charsOf = (texts: readonly Disclosable[]): number => texts.reduce((sum, { text }) => sum + text.length, 0);
const kindsIn = (texts: readonly Disclosable[]): Set<string> => {
  const windows = [...windowsOf(texts)];
  return new Set(
    windows.flatMap((window) => [...matchesIn(window), ...readTogether(window).sure].map(({ kind }) => kind)),
  );
};

const TEXTS: Readonly<Record<string, readonly Disclosable[]>> = {
  'one long text': [{ field: 'a', text: PROSE.repeat(400) }],
  'a text without a space': [{ field: 'a', text: 'x'.repeat(20_000) }],
  'surrogate pairs': [{ field: 'a', text: '😀'.repeat(5_000) }],
  'eight thousand short texts': Array.from({ length: 8_000 }, (_, at) => ({ field: `${at}`, text: `${at}` })),
  'long and short ones by turns': Array.from({ length: 100 }, (_, at) => ({
    field: `${at}`,
    text: at % 2 ? PROSE.repeat(50) : 'b',
  })),
};

describe.each(Object.keys(TEXTS))('%s', (name) => {
  const texts = TEXTS[name] ?? [];

  test('no window holds more than is read in one piece, and all of it is read at most twice', () => {
    const windows = [...windowsOf(texts)];
    expect(Math.max(...windows.map(charsOf))).toBeLessThanOrEqual(PIECE_MAX);
    expect(windows.reduce((sum, window) => sum + charsOf(window), 0)).toBeLessThanOrEqual(2 * charsOf(texts));
    expect(windows.every((window) => window.every(({ text }) => text.isWellFormed()))).toBe(true);
  });

  test('each text stands in them to its end', () => {
    const read = new Map<string, number>();
    for (const window of windowsOf(texts)) {
      for (const { field, text } of window) read.set(field, (read.get(field) ?? 0) + text.length);
    }
    expect(texts.filter(({ field, text }) => (read.get(field) ?? 0) < text.length)).toEqual([]);
  });
});

test('a short listing is one window, as it is', () => {
  const texts = [
    { field: 'headline', text: 'Logos' },
    { field: 'description', text: PROSE },
  ];
  expect([...windowsOf(texts)]).toEqual([texts]);
  expect([...windowsOf([])]).toEqual([]);
});

test('what stands where two windows meet is found, wherever that is', () => {
  for (let at = 1_200; at < 1_700; at += 7) {
    const before = PROSE.repeat(40).slice(0, at);
    expect(kindsIn([{ field: 'a', text: `${before} write to ada@example.org ${PROSE.repeat(9)}` }])).toContain('email');
  }
});

test('what is parted over two texts at the end of a long one is found', () => {
  const texts = [
    { field: 'a', text: `${PROSE.repeat(30)} write to ada at gmail` },
    { field: 'b', text: 'dot com' },
  ];
  expect(kindsIn(texts)).toContain('email');
});
