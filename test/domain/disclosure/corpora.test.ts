// Evasions of many kinds and languages, and harmless texts that look like them: how many of either the rules may get wrong.
import { describe, expect, test } from 'bun:test';
import { examples, HALVES, judge, table } from '../../support/disclosure-corpus.ts';

/** Of a hundred evasions two may pass, of a hundred harmless texts two may be stopped. Nothing was learnt from the fresh
 * ones: their bound is what was measured, and the distance to the others' is what the rules have yet to learn. */
const LEARNT = { passed_max: 0.02, stopped_max: 0.02 };
const FRESH = { passed_max: 0.09, stopped_max: 0.04 };

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
