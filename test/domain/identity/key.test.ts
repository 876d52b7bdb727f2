// Guarantees of API keys: one format, and a typo is caught without a look-up.

import { describe, expect, test } from 'bun:test';
import {
  isWellFormedKey,
  KEY_LIFE_MS,
  keyPrefixShown,
  mintKey,
  RENEW_OVERLAP_MS,
} from '../../../src/domain/identity/key.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { naughtyStrings } from '../../support/corpus.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bytesOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const sample = mintKey(
  'mesh',
  Uint8Array.from({ length: 32 }, (_, i) => i * 7 + 1),
);

describe('a minted key', () => {
  test.each([0, 1, 127, 255])('has 43 characters of secret and 7 of checksum when every byte is %p', (fill) => {
    const key = mintKey('mesh', bytesOf(fill));
    expect(key).toMatch(/^mesh_live_[0-9A-Za-z]{43}_[0-9A-Za-z]{7}$/);
    expect(isWellFormedKey(key, 'mesh')).toBe(true);
  });

  test('keeps all 256 bits: its secret reads back as the same integer', () => {
    const secret = sample.slice('mesh_live_'.length, 'mesh_live_'.length + 43);
    const value = [...secret].reduce((sum, digit) => sum * 62n + BigInt(ALPHABET.indexOf(digit)), 0n);
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => i * 7 + 1);
    expect(value.toString(16).padStart(64, '0')).toBe(bytes.toHex());
  });

  test('ends with the CRC-32 of all before its last underscore, in base62', () => {
    const [head, sum] = [sample.slice(0, -8), sample.slice(-7)];
    const value = [...sum].reduce((total, digit) => total * 62 + ALPHABET.indexOf(digit), 0);
    expect(value).toBe(Bun.hash.crc32(head));
  });

  test('is refused the wrong number of random bytes', () => {
    expect(() => mintKey('mesh', new Uint8Array(31))).toThrow();
  });
});

describe('only a well-formed key passes', () => {
  test('every change of one character is caught', () => {
    for (let i = 0; i < sample.length; i++) {
      const other = sample[i] === 'x' ? 'y' : 'x';
      expect(isWellFormedKey(sample.slice(0, i) + other + sample.slice(i + 1), 'mesh')).toBe(false);
    }
  });

  test.each([
    ['another prefix', sample, 'acme'],
    ['the prefix of a longer word', `x${sample}`, 'mesh'],
    ['a space after it', `${sample} `, 'mesh'],
    ['a line end after it', `${sample}\n`, 'mesh'],
    ['a missing checksum', sample.slice(0, -8), 'mesh'],
  ])('%s does not', (_, key, prefix) => expect(isWellFormedKey(key, prefix)).toBe(false));

  test('no hostile string does', () => {
    for (const text of naughtyStrings()) {
      expect(isWellFormedKey(text, 'mesh')).toBe(false);
      expect(isWellFormedKey(`mesh_live_${text}`, 'mesh')).toBe(false);
    }
  });
});

test('a list shows six characters of the secret', () => {
  expect(keyPrefixShown(sample)).toBe(sample.slice(0, 'mesh_live_'.length + 6));
});

test('a key lives 90 days and overlaps its successor by one', () => {
  expect([KEY_LIFE_MS, RENEW_OVERLAP_MS]).toEqual([7_776_000_000, DAY_MS]);
});
