// Evasions of many kinds and languages, and harmless texts that look like them: how many of either the rules may get wrong.
import { describe, expect, test } from 'bun:test';
import { handleFault, readTogether } from '../../../src/domain/disclosure/disclosure.ts';
import { seeded } from '../../support/dice.ts';
import { examples, HALVES, judge, table } from '../../support/disclosure-corpus.ts';

/** Of a hundred evasions twenty may pass: a disguise costs its author readers, and a rule for each costs honest ones their listing. Of
 * a hundred harmless texts two may be stopped. */
const PASSED_MAX = 0.2;
const STOPPED_MAX = 0.02;

describe.each([...HALVES])('the %s half', (half) => {
  const skipped = (what: string): void =>
    console.warn(`skipped: there is no test/corpora/disclosure/${what}-${half}.jsonl`);

  test('of the evasions is refused or held', () => {
    const evasions = examples('evasions', half);
    if (!evasions) return skipped('evasions');
    console.info(`evasions, ${half}\n${table(evasions)}`);
    const passed = evasions.filter((one) => judge(one) === 'passed');
    expect(passed.slice(0, Math.floor(evasions.length * PASSED_MAX))).toEqual(passed);
  });

  test('of the harmless texts is published', () => {
    const harmless = examples('harmless', half);
    if (!harmless) return skipped('harmless');
    console.info(`harmless texts, ${half}\n${table(harmless)}`);
    const stopped = harmless.filter((one) => judge(one) !== 'passed');
    expect(stopped.slice(0, Math.floor(harmless.length * STOPPED_MAX))).toEqual(stopped);
  });
});

describe('marks that programs give', () => {
  const random = seeded(1_063);
  const hex = (length: number): string =>
    Array.from({ length }, () => '0123456789abcdef'.charAt(Math.floor(random() * 16))).join('');

  test('a handle with an id in hexadecimal is taken', () => {
    const refused = Array.from({ length: 3_000 }, () => `h_on_${hex(10)}`).filter((handle) => handleFault(handle));
    expect(refused).toEqual([]);
  });

  test.each([
    ['an id behind a price', () => `call the tool, it costs 99999 cents ${hex(7)}c`],
    ['an id behind a word that calls a number', () => `Ring us once ${hex(9)}c is live`],
    ['a commit', () => `The fix is commit ${hex(6)}a, released on Monday`],
    ['a UUID', () => `Listing ${crypto.randomUUID()} is the template of this one`],
  ])('%s is neither a number nor a name', (_name, text) => {
    const texts = Array.from({ length: 200 }, text);
    const stopped = texts.filter((each) => {
      const { sure, doubted } = readTogether([{ field: 'description', text: each }]);
      return sure.length + doubted.length > 0;
    });
    expect(stopped.slice(0, 4)).toEqual(stopped);
  });
});
