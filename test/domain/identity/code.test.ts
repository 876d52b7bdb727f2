// Guarantees of codes: six even digits, and four allowances that together stop a flood.

import { describe, expect, test } from 'bun:test';
import { CODE_LIFE_MS, CODE_TRIES, domainLimit, mintCode, sendLimits } from '../../../src/domain/identity/code.ts';
import { HOUR_MS } from '../../../src/domain/time.ts';

describe('a code is six digits, leading zeros kept', () => {
  test.each([
    [[0, 0, 0, 0, 0, 0, 0, 0], '000000'],
    [[0, 0, 0, 0, 0, 0, 0, 42], '000042'],
    [[0, 0, 0, 0, 0, 0x0f, 0x42, 0x40], '000000'],
    [[255, 255, 255, 255, 255, 255, 255, 255], '551615'],
  ])('%p gives %p', (bytes, code) => expect(mintCode(Uint8Array.from(bytes))).toBe(code));

  test('too little randomness is a bug, not a weak code', () => expect(() => mintCode(new Uint8Array(7))).toThrow());

  test('digits are spread evenly', () => {
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 2_000; i++) {
      const digest = new Bun.CryptoHasher('sha256').update(String(i)).digest();
      for (const digit of mintCode(digest)) counts[Number(digit)] = (counts[Number(digit)] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_200)).toBeLessThan(180);
  });
});

test('a code lives ten minutes and burns after five tries', () => {
  expect([CODE_LIFE_MS, CODE_TRIES]).toEqual([600_000, 5]);
});

test('sending counts against the address, the client and the network, by the hour', () => {
  const hour = HOUR_MS;
  expect(sendLimits('ann@example.com', '::ffff:192.0.2.77')).toEqual([
    { key: 'code:email:ann@example.com', limit: 5, window_ms: hour },
    { key: 'code:ip:192.0.2.77', limit: 20, window_ms: hour },
    { key: 'code:network:192.0.2.0/24', limit: 60, window_ms: hour },
  ]);
});

test('addresses without an account count against their domain, at public mail providers more of them', () => {
  const hour = HOUR_MS;
  expect(domainLimit('ann@example.com')).toEqual({ key: 'code:domain:example.com', limit: 50, window_ms: hour });
  expect(domainLimit('ann@gmail.com')).toEqual({ key: 'code:domain:gmail.com', limit: 1_000, window_ms: hour });
});
