// Guards signature.ts: agents' Ed25519 keys and challenge signatures, with the portable library as the signing client.

import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import * as ed from '@noble/ed25519';
import { isFault } from '../../src/domain/fault.ts';
import { parsePublicKey, verifyChallenge, verifyEd25519 } from '../../src/outbound/signature.ts';
import { wycheproof } from './vectors.ts';

const SECRET = new Uint8Array(32).fill(9);

describe('a challenge', () => {
  test('signed by a client with the registered key is accepted, and nothing else is', async () => {
    const raw = await ed.getPublicKeyAsync(SECRET);
    const signature = Buffer.from(await ed.signAsync(new TextEncoder().encode('challenge-é'), SECRET)).toString(
      'base64url',
    );
    expect(verifyChallenge(raw, 'challenge-é', signature)).toBe(true);
    expect(verifyChallenge(raw, 'challenge-e', signature)).toBe(false);
    expect(verifyChallenge(await ed.getPublicKeyAsync(new Uint8Array(32).fill(8)), 'challenge-é', signature)).toBe(
      false,
    );
    expect(verifyChallenge(raw, 'challenge-é', signature.slice(0, -4))).toBe(false);
    expect(verifyChallenge(raw, 'challenge-é', 'not base64url at all')).toBe(false);
    expect(verifyChallenge(raw, 'challenge-é', '')).toBe(false);
  });

  test('verification agrees with every published Ed25519 vector', async () => {
    const file = await wycheproof<{ msg: string; sig: string; result: string }>('ed25519_test.json');
    for (const { publicKey, tests } of file?.testGroups ?? []) {
      const raw = Buffer.from(publicKey?.pk ?? '', 'hex');
      for (const { tcId, msg, sig, result } of tests) {
        const ok = verifyEd25519(raw, Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'));
        expect({ tcId, ok }).toEqual({ tcId, ok: result === 'valid' });
      }
    }
  });
});

describe('a public key', () => {
  test('is read with or without padding and named by the hash of its raw bytes', async () => {
    const raw = await ed.getPublicKeyAsync(SECRET);
    const text = Buffer.from(raw).toString('base64url');
    const fingerprint = createHash('sha256').update(raw).digest('base64url');
    expect(parsePublicKey(text)).toEqual({ public_key: text, fingerprint, raw });
    expect(parsePublicKey(`${text}=`)).toEqual({ public_key: text, fingerprint, raw });
  });

  test('of another length, alphabet or spelling is refused by the name of its field', () => {
    for (const text of ['', 'AAAA', 'x'.repeat(44), `${'+'.repeat(42)}8`, `${'A'.repeat(42)}B`, 'z'.repeat(100_000)]) {
      expect(parsePublicKey(text)).toMatchObject({
        fault: 'invalid_request',
        data: { fields: [{ path: 'public_key' }] },
      });
    }
  });

  test('of small order is refused, since one signature under it would fit any message', () => {
    const torsion = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a';
    const generator = ed.Point.fromHex(torsion);
    let point = generator;
    for (let i = 0; i < 8; i++) {
      expect(isFault(parsePublicKey(Buffer.from(point.toBytes()).toString('base64url')))).toBe(true);
      point = point.add(generator);
    }
    expect(point.equals(generator)).toBe(true);
    for (const first of ['ed', 'ee']) {
      for (const last of ['7f', 'ff']) {
        const nonCanonical = Buffer.from(`${first}${'ff'.repeat(30)}${last}`, 'hex').toString('base64url');
        expect(isFault(parsePublicKey(nonCanonical))).toBe(true);
      }
    }
  });
});
