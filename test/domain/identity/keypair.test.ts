// Guarantees of key pairs: one key, one spelling, and a fingerprint that anybody can compute.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isFault } from '../../../src/domain/fault.ts';
import {
  CHALLENGE_LIFE_MS,
  fingerprint,
  parsePublicKey,
  parseSignature,
  publicKeyText,
} from '../../../src/domain/identity/key.ts';
import { naughtyStrings } from '../../support/corpus.ts';

// RFC 8032, 7.1, test 1.
const RAW = Uint8Array.fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
const TEXT = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const sha256 = (bytes: Uint8Array): Uint8Array => new Bun.CryptoHasher('sha256').update(bytes).digest();

test('a public key reads as its raw bytes and is written back the same', () => {
  expect(parsePublicKey(TEXT)).toEqual(RAW);
  expect(parsePublicKey(`${TEXT}=`)).toEqual(RAW);
  expect(publicKeyText(RAW)).toBe(TEXT);
});

test('the fingerprint is the SHA-256 of the raw key', () => {
  const digest = new Bun.CryptoHasher('sha256').update(RAW).digest('base64url');
  expect(fingerprint(RAW, sha256)).toBe(digest);
});

test('any key and signature make the round trip', () => {
  const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
  fc.assert(
    fc.property(bytes(32), bytes(64), (key, signature) => {
      expect(parsePublicKey(publicKeyText(key))).toEqual(key);
      expect(parseSignature(Buffer.from(signature).toString('base64url'))).toEqual(signature);
    }),
  );
});

describe('no other spelling is taken', () => {
  test.each([
    ['standard base64', Buffer.from(RAW).toString('base64')],
    ['hexadecimal', Buffer.from(RAW).toString('hex')],
    ['spare bits that are set', `${TEXT.slice(0, -1)}p`],
    ['a byte too few', TEXT.slice(0, -2)],
    ['a byte too many', `${TEXT}AA`],
    ['too much padding', `${TEXT}===`],
    ['a space around it', ` ${TEXT}`],
    ['a line end after it', `${TEXT}\n`],
    ['a PEM', `-----BEGIN PUBLIC KEY-----\n${TEXT}\n-----END PUBLIC KEY-----`],
    ['nothing', ''],
  ])('%s', (_, text) => {
    const refused = parsePublicKey(text, 'key');
    expect(isFault(refused) && refused.data).toMatchObject({ fields: [{ path: 'key' }] });
  });

  test('a hostile string neither', () => {
    for (const text of naughtyStrings()) {
      expect(isFault(parsePublicKey(text))).toBe(true);
      expect(isFault(parseSignature(text))).toBe(true);
    }
  });
});

test('a challenge can be signed for five minutes', () => expect(CHALLENGE_LIFE_MS).toBe(300_000));
