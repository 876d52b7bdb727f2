// Guards the language of the server's pages: the account's is used, else the browser's.
import { describe, expect, test } from 'bun:test';
import { INSTANCE } from '../../src/domain/instance.ts';
import { tongueFor } from '../../src/transports/pages/tongue.ts';

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
