// Guards signature.ts: agents' challenge signatures, with the portable library as the signing client.

import { describe, expect, test } from 'bun:test';
import * as ed from '@noble/ed25519';
import { verifyEd25519 } from '../../src/outbound/signature.ts';
import { wycheproof } from './vectors.ts';

const SECRET = new Uint8Array(32).fill(9);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('an Ed25519 signature', () => {
  test('made by a client over a challenge is accepted under its key, and nothing else is', async () => {
    const raw = await ed.getPublicKeyAsync(SECRET);
    const signature = await ed.signAsync(utf8('challenge-é'), SECRET);
    expect(verifyEd25519(raw, utf8('challenge-é'), signature)).toBe(true);
    expect(verifyEd25519(raw, utf8('challenge-e'), signature)).toBe(false);
    expect(verifyEd25519(await ed.getPublicKeyAsync(new Uint8Array(32)), utf8('challenge-é'), signature)).toBe(false);
    expect(verifyEd25519(raw, utf8('challenge-é'), signature.slice(1))).toBe(false);
    expect(verifyEd25519(raw.slice(1), utf8('challenge-é'), signature)).toBe(false);
    expect(verifyEd25519(new Uint8Array(32).fill(0xff), utf8('challenge-é'), signature)).toBe(false);
  });

  test('agrees with every published vector', async () => {
    const file = await wycheproof<{ msg: string; sig: string; result: string }>('ed25519_test.json');
    for (const { publicKey, tests } of file?.testGroups ?? []) {
      const raw = Buffer.from(publicKey?.pk ?? '', 'hex');
      for (const { tcId, msg, sig, result } of tests) {
        const ok = verifyEd25519(raw, Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'));
        expect({ tcId, ok }).toEqual({ tcId, ok: result === 'valid' });
      }
    }
  });

  test('never verifies under a key of small order, where one would fit every message', () => {
    const generator = ed.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    const weak: Uint8Array[] = ['ed', 'ee'].flatMap((first) =>
      ['7f', 'ff'].map((last) => Buffer.from(`${first}${'ff'.repeat(30)}${last}`, 'hex')),
    );
    let point = generator;
    for (let i = 0; i < 8; i++) {
      weak.push(point.toBytes());
      point = point.add(generator);
    }
    expect(point.equals(generator)).toBe(true);
    const forged = new Uint8Array(64);
    for (const first of weak) {
      for (const key of weak) {
        forged.set(first);
        for (let i = 0; i < 8; i++) expect(verifyEd25519(key, utf8(`message ${i}`), forged)).toBe(false);
      }
    }
  });
});
