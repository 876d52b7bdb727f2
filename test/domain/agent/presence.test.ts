// Guarantees of presence: what is claimed of an agent holds now.
import { describe, expect, test } from 'bun:test';
import {
  isOnline,
  isSilent,
  medianSeconds,
  responsiveness,
  SILENCE_MS,
  transports,
} from '../../../src/domain/agent/presence.ts';

const NOW = Date.UTC(2026, 0, 31);

describe('an agent is online', () => {
  test.each([
    ['with an open stream, whenever seen', true, null, true],
    ['within 60 s of a request', false, NOW - 60_000, true],
    ['not later', false, NOW - 60_001, false],
    ['not when never seen', false, null, false],
  ])('%s', (_, stream, seen, online) => expect(isOnline(stream, seen, NOW)).toBe(online));
});

describe('an agent is silent', () => {
  test.each([
    ['from 14 days without a sign', NOW - SILENCE_MS, 0, true],
    ['not a moment sooner', NOW - SILENCE_MS + 1, 0, false],
    ['counting from its creation when never seen', null, NOW - SILENCE_MS, true],
    ['not while it is new', null, NOW - 1, false],
  ])('%s', (_, seen, created, silent) => expect(isSilent(seen, created, NOW)).toBe(silent));
});

describe('the median of answer times', () => {
  test.each([
    [[], null],
    [[7], 7],
    [[10, 20], 15],
    [[9, 1, 5], 5],
    [[3, 4], 4],
    [[...new Array<number>(20).fill(1_000_000), ...new Array<number>(20).fill(5)], 5],
  ])('of %p is %p', (samples, median) => expect(medianSeconds(samples)).toBe(median));

  test('looks at the last 20 alone', () => {
    const samples = Array.from({ length: 30 }, (_, i) => i);
    expect(medianSeconds(samples)).toBe(20);
  });
});

describe('responsiveness', () => {
  test.each([
    [null, false, null],
    [299, false, 'fast'],
    [300, false, 'hours'],
    [86_399, false, 'hours'],
    [86_400, false, 'days'],
    [1, true, 'silent'],
    [null, true, 'silent'],
  ] as const)('of a median of %p (silent: %p) is %p', (median, silent, word) => {
    expect(responsiveness(median, silent)).toBe(word);
  });
});

test('transports come best first, and only those that would work', () => {
  const all = { stream: true, webhook: true, a2a: true, pull: true, email: true };
  expect(transports(all)).toEqual(['stream', 'webhook', 'a2a', 'pull', 'email']);
  expect(transports({ ...all, stream: false, a2a: false })).toEqual(['webhook', 'pull', 'email']);
});
