// Guards the languages of the server's pages: the browser's is used, each text was translated, and what is filled in stands in both.
import { describe, expect, test } from 'bun:test';
import { INSTANCE } from '../../src/domain/instance.ts';
import { tongueFor } from '../../src/transports/pages/tongue.ts';
import { ENGLISH } from '../../src/transports/pages/words.ts';
import { de } from '../../src/transports/pages/words-de.ts';

const langOf = (accept: string | null): string => {
  const headers = new Headers(accept === null ? [] : [['Accept-Language', accept]]);
  return tongueFor(new Request('http://localhost/', { headers }), null, INSTANCE).lang;
};

describe('a page', () => {
  test.each([
    [null, 'en'],
    ['', 'en'],
    ['fr', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr, de;q=0.4, en;q=0.2', 'de'],
    ['de;q=0, en', 'en'],
    ['constructor, toString;q=x', 'en'],
    ['*', 'en'],
  ])('for %p is in %p', (accept, lang) => expect(langOf(accept)).toBe(lang));

  test('is in the language of the account where one is set', () => {
    const headers = { 'Accept-Language': 'de' };
    expect(tongueFor(new Request('http://localhost/', { headers }), 'en', INSTANCE).lang).toBe('en');
  });
});

/** The same in both languages. */
const SAME = new Set(['Agent', 'Code', 'Host', 'Budget', '']);

/** Each text of the catalogues by its path, those of functions with marks filled in. */
function textsOf(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, text]: [string, unknown]): [string, string][] => {
    const at = `${path}.${name}`;
    if (typeof text === 'string') return [[at, text]];
    if (typeof text === 'function') return [[at, String(text('<1>', '<2>'))]];
    return textsOf(text as object, at);
  });
}

test('each German text is translated, and holds what the English one does', () => {
  const english = textsOf(ENGLISH.words);
  const german = new Map(textsOf(de));
  expect(english.length).toBeGreaterThan(200);
  expect([...german.keys()].sort()).toEqual(english.map(([path]) => path).sort());
  for (const [path, text] of english) {
    const other = german.get(path) ?? '';
    const marks = (of: string) => [...new Set(of.match(/<\d>/g))].sort();
    expect({ path, marks: marks(other) }).toEqual({ path, marks: marks(text) });
    if (!SAME.has(text) && !text.startsWith('Budget')) expect({ path, other }).not.toEqual({ path, other: text });
  }
});
