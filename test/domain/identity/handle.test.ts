// Guarantees of handles: one spelling, the published pattern, and names that nobody can take.
import { describe, expect, test } from 'bun:test';
import { isFault } from '../../../src/domain/fault.ts';
import { isReserved, parseHandle, RESERVED, shortHandlesLeft } from '../../../src/domain/identity/handle.ts';
import { naughtyStrings } from '../../support/corpus.ts';

describe('a handle as typed has one spelling', () => {
  test.each([
    ['acme', 'acme'],
    ['@Acme_Corp', 'acme_corp'],
    ['  @abc ', 'abc'],
    ['a'.repeat(30), 'a'.repeat(30)],
    ['___', '___'],
  ])('%p is %p', (text, handle) => expect(parseHandle(text)).toBe(handle));
});

describe('what does not fit the pattern is refused with the field named', () => {
  test.each([
    ...['', '@', 'ab', 'a'.repeat(31), '../../../abc', 'a b', 'a-b', 'a.b', 'abc\n d', 'abc\0', 'épée', 'аbc'],
    '\u212Aelvin', // The Kelvin sign lower-cases to k under Unicode rules.
    'İstanbul',
  ])('%p', (text) => {
    const parsed = parseHandle(text, 'to');
    expect(isFault(parsed) && parsed.data).toMatchObject({ fields: [{ path: 'to' }] });
  });

  test('a hostile string is refused or comes out within the pattern', () => {
    for (const text of naughtyStrings()) {
      const parsed = parseHandle(text);
      if (!isFault(parsed)) expect(parsed).toMatch(/^[a-z0-9_]{3,30}$/);
    }
  });
});

describe('nobody can claim', () => {
  test.each('bounds rename check public explore admin api me platform support www mail postmaster abuse'.split(' '))(
    '%p',
    (handle) => expect(isReserved(handle, 'concierge')).toBe(true),
  );

  test('the platform agent, whatever its handle', () => {
    expect(isReserved('concierge', 'concierge')).toBe(true);
    expect(isReserved('concierge', 'butler')).toBe(false);
    expect(isReserved('acme', 'concierge')).toBe(false);
  });

  test('each reserved name is in its one spelling, or it would keep nobody out', () => {
    expect([...RESERVED].filter((name) => !/^[a-z0-9_]+$/.test(name))).toEqual([]);
  });
});

test('of 37³ handles of three characters those are left that nobody holds and no name is kept for', () => {
  const kept = [...RESERVED].filter((name) => name.length === 3).length;
  expect(shortHandlesLeft(0, 'concierge')).toBe(50_653 - kept);
  expect(shortHandlesLeft(3, 'con')).toBe(50_653 - kept - 3);
  // The platform's agent holds its own, even where nobody else could.
  expect(shortHandlesLeft(1, 'bot')).toBe(50_653 - kept);
  expect(shortHandlesLeft(60_000, 'concierge')).toBe(0);
});
