// Guards what passes for a slip of the pen, and that a word costs no more than its length.
import { expect, test } from 'bun:test';
import { makeSpelling } from '../../../src/domain/text/word-search.ts';
import { finished } from '../../support/finished.ts';

const said = new Map(
  Object.entries({ handle: 1, receive: 1, withdraw: 5, withdrawal: 1, account: 1, api: 1, post: 2, host: 1 }),
);
const spelling = finished(makeSpelling(said));

test.each([
  ['hanlde', 'handle'],
  ['handel', 'handle'],
  ['hadle', 'handle'],
  ['handlle', 'handle'],
  ['ahndle', 'handle'],
  ['recieve', 'receive'],
  ['acounnt', 'account'],
  ['withdrawl', 'withdraw'],
])('%s is %s', (slip, meant) => {
  expect(spelling(slip)).toBe(meant);
});

test.each([
  ['too short to tell', 'apo'],
  ['another beginning', 'candle'],
  ['two slips in a short word', 'hxndxe'],
  ['three slips', 'wxthxrxw'],
  ['no word', 'a1b2c3d4'],
  ['endless', 'withdraw'.repeat(40)],
])('%s is nothing', (_why, word) => {
  expect(spelling(word)).toBeNull();
});

test('of words as near the one said more is meant, and what is right stays', () => {
  expect(spelling('withdrawa')).toBe('withdraw');
  expect(spelling('handle')).toBe('handle');
  expect(spelling('host')).toBe('host');
});
