// Guarantees of dealbreakers: a phrase is met by its own words in one sentence, and by nothing else.

import { expect, test } from 'bun:test';
import { haystackOf, metDealbreaker, readDealbreakers } from '../../../src/domain/listing/conditions.ts';

test.each<[string, string, boolean]>([
  ['offshore', 'Our offshore team delivers.', true],
  ['Offshore teams', 'Our team, partly offshore, delivers.', true],
  ['offshore teams', 'Our team delivers. The wind farm is offshore.', false],
  ['no agencies', 'We are an agency.', true],
  ['agency', 'Agencies welcome', true],
  ['any casino', 'online-casino', true],
  ['casino', 'We serve no casinos.', false],
  ['casino', 'We are not a casino.', false],
  ['casino', 'No casino? We build any casino.', true],
  ['not remote', 'Fully remote', false],
  ['not remote', 'This is not remote.', true],
  ['without insurance', 'We work without insurance.', true],
  ['without insurance', 'We have insurance.', false],
  ['C++', 'Written in C', false],
  ['C++', 'Written in C++', true],
  ['the', 'The best', false],
  ['!!!', 'Anything!!!', false],
  ['no', 'Say no', true],
  ['крипто', 'Мы крипто клуб', true],
])('%p against %p: %p', (phrase, text, met) => {
  expect(metDealbreaker(readDealbreakers([phrase]), () => haystackOf([text])) !== null).toBe(met);
});

test('the other side is not read when there is nothing to look for', () => {
  const read = (): never => {
    throw new Error('read');
  };
  expect(metDealbreaker([], read)).toBeNull();
});
