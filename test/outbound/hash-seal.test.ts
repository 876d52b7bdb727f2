// Guards hash.ts and seal.ts: known digests, comparison, and that a sealed secret opens only whole and in its place.

import { describe, expect, test } from 'bun:test';
import { codeHash, codeSalt, hmac, sameSecret, sha256, sha256Hex } from '../../src/outbound/hash.ts';
import { open, replayKey, SEAL_KEY_BYTES, seal } from '../../src/outbound/seal.ts';
import { wycheproof } from './vectors.ts';

describe('hashes', () => {
  test('SHA-256 of text and of the same bytes agree with the published value', () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sha256Hex('abc')).toBe(abc);
    const bytes = new TextEncoder().encode('abc');
    expect(sha256Hex(bytes)).toBe(abc);
    expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(abc);
  });

  test('HMAC-SHA256 agrees with every published vector', async () => {
    const file = await wycheproof<{ key: string; msg: string; tag: string; result: string }>('hmac_sha256_test.json');
    for (const group of file?.testGroups ?? []) {
      for (const { key, msg, tag, result } of group.tests) {
        const made = hmac(Buffer.from(key, 'hex'), Buffer.from(msg, 'hex')).slice(0, tag.length);
        expect(made === tag).toBe(result === 'valid');
      }
    }
  });

  test('secrets compare by content, whatever their lengths', () => {
    expect(sameSecret('token', 'token')).toBe(true);
    expect(sameSecret('token', 'tokem')).toBe(false);
    expect(sameSecret('token', 'token ')).toBe(false);
    expect(sameSecret('', 'x')).toBe(false);
    expect(sameSecret('é', new TextEncoder().encode('é'))).toBe(true);
  });

  test('the same code has another hash in another row and under another seal key', () => {
    const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const hashes = [codeSalt(one, 'a'), codeSalt(one, 'b'), codeSalt(two, 'a')].map((salt) => codeHash('123456', salt));
    expect(new Set(hashes).size).toBe(3);
    expect(codeHash('123456', codeSalt(one, 'a'))).toBe(hashes[0] ?? '');
  });
});

describe('seals', () => {
  const key = new Uint8Array(SEAL_KEY_BYTES).fill(7);
  const aad = 'outbound:0190';

  test('what was sealed opens again, in any script and empty too, and no two seals look alike', () => {
    for (const text of ['Your code is\n123456\n', '', 'Grüße 你好 🦊', 'x'.repeat(70_000)]) {
      expect(open(key, seal(key, text, aad), aad)).toBe(text);
    }
    expect(seal(key, 'same', aad)).not.toBe(seal(key, 'same', aad));
    expect(seal(key, '123456', aad)).not.toContain('123456');
  });

  test('a seal does not open under another key or another aad', () => {
    const sealed = seal(key, 'secret', aad);
    expect(open(new Uint8Array(SEAL_KEY_BYTES), sealed, aad)).toBeNull();
    expect(open(key, sealed, 'outbound:0191')).toBeNull();
  });

  test('a seal with any one byte changed, cut off or without its version does not open', () => {
    const sealed = seal(key, 'secret', aad);
    const body = Buffer.from(sealed.slice(3), 'base64url');
    for (let i = 0; i < body.length; i++) {
      const bent = Buffer.from(body);
      bent.writeUInt8(bent.readUInt8(i) ^ 1, i);
      expect(open(key, `g1.${bent.toString('base64url')}`, aad)).toBeNull();
      expect(open(key, `g1.${body.subarray(0, i).toString('base64url')}`, aad)).toBeNull();
    }
    expect(open(key, sealed.slice(3), aad)).toBeNull();
    expect(open(key, 'plain text', aad)).toBeNull();
  });

  test('a replayed answer opens only for the same credential and Idempotency-Key', () => {
    const sealed = seal(replayKey('mesh_live_a', 'k1'), '{"api_key":"…"}', 'replay');
    expect(open(replayKey('mesh_live_a', 'k1'), sealed, 'replay')).toBe('{"api_key":"…"}');
    expect(open(replayKey('mesh_live_a', 'k2'), sealed, 'replay')).toBeNull();
    expect(open(replayKey('mesh_live_b', 'k1'), sealed, 'replay')).toBeNull();
  });
});
