// What a stranger's text may become before it is read: each step makes it an eighth and 64 characters longer at most, whatever
// signs it is made of, and no sign of it is passed over.
import { expect, test } from 'bun:test';
import { disclosuresIn, readTogether } from '../../../src/domain/disclosure/disclosure.ts';
import { makeLegible } from '../../../src/domain/disclosure/legible.ts';
import { makeReadable } from '../../../src/domain/disclosure/reading.ts';
import { normalForm, writeOut } from '../../../src/domain/text/normal-form.ts';
import { words } from '../../../src/outbound/embedder/built-in.ts';

/** Each sign that a compatibility form makes at least three of. */
const GROWING = Array.from({ length: 0x1fbff - 0xa0 }, (_, at) => at + 0xa0)
  .filter((code) => code < 0xd800 || code >= 0xe000)
  .map((code) => String.fromCodePoint(code))
  .filter((sign) => sign.normalize('NFKC').length >= 3 * sign.length);

const CHARS = 2_000;
/** Reading takes several steps, each of which may add its eighth. */
const BOUND = 2 * CHARS;

test('no sign makes a text twice as long, however often it stands there', () => {
  expect(GROWING.length).toBeGreaterThan(300);
  for (const sign of GROWING) {
    const text = sign.repeat(CHARS / sign.length);
    const read = [normalForm(text, 'NFKC'), makeLegible(text), makeReadable(text)].map(({ length }) => length);
    expect({ sign, longest: Math.max(...read) <= BOUND }).toEqual({ sign, longest: true });
    expect(words(text).join('').length).toBeLessThanOrEqual(3 * BOUND);
  }
});

test('a sign with a long look or a long name is bounded alike', () => {
  expect(makeReadable('✉'.repeat(CHARS)).length).toBeLessThanOrEqual(BOUND);
  expect(writeOut('ab'.repeat(500), /b/g, () => 'x'.repeat(40)).length).toBeLessThanOrEqual(1_000 + 125 + 64);
});

test('a few ligatures and fractions are written out, and what stands behind many is read', () => {
  expect(normalForm('The oﬃce… ½', 'NFKC')).toBe('The office... 1⁄2');
  const filler = '\ufdfa'.repeat(4_000);
  expect(disclosuresIn(`${filler} write to ada@example.org`)).toEqual(['email']);
  expect(makeReadable(`${filler} ⑷⑴`).endsWith('41')).toBe(true);
  const told = readTogether([{ field: 'text', text: `${filler} ada at gmail dot com` }]);
  expect(told.sure.map(({ kind }) => kind)).toContain('email');
});
