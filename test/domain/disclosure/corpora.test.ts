// Evasions of many kinds and languages, and harmless texts that look like them: how many of either the rules may get wrong.
import { describe, expect, test } from 'bun:test';
import { handleFault, readTogether } from '../../../src/domain/disclosure/disclosure.ts';
import { seeded } from '../../support/dice.ts';
import { examples, HALVES, judge, table } from '../../support/disclosure-corpus.ts';

/** Of a hundred evasions twenty may pass: a disguise costs its author readers, and a rule for each costs honest ones their listing. Of
 * a hundred harmless texts two may be stopped. Nothing was learnt from the fresh ones: their bound is what was measured. */
const LEARNT = { passed_max: 0.2, stopped_max: 0.02 };
const FRESH = { passed_max: 0.2, stopped_max: 0.04 };

describe.each([...HALVES])('the %s half', (half) => {
  const evasions = examples('evasions', half);
  const harmless = examples('harmless', half);
  const { passed_max, stopped_max } = half === 'fresh' ? FRESH : LEARNT;

  test('of the evasions is refused or held', () => {
    if (!evasions) {
      console.warn(`skipped: there is no test/corpora/disclosure/evasions-${half}.jsonl`);
      return;
    }
    console.info(`evasions, ${half}\n${table(evasions)}`);
    const passed = evasions.filter((one) => judge(one) === 'passed');
    expect(passed.slice(0, Math.floor(evasions.length * passed_max))).toEqual(passed);
  });

  test('of the harmless texts is published', () => {
    if (!harmless) {
      console.warn(`skipped: there is no test/corpora/disclosure/harmless-${half}.jsonl`);
      return;
    }
    console.info(`harmless texts, ${half}\n${table(harmless)}`);
    const stopped = harmless.filter((one) => judge(one) !== 'passed');
    expect(stopped.slice(0, Math.floor(harmless.length * stopped_max))).toEqual(stopped);
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
