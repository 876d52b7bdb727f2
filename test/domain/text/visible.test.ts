// What counts as a name that people see: every script and emoji does, signs that leave no mark do not.
import { describe, expect, test } from 'bun:test';
import { isVisible, VISIBLE_OR_BLANK } from '../../../src/domain/text/visible.ts';

const NOTHING_TO_SEE = {
  nothing: '',
  'white space': ' \t\u00a0\u3000\u2028',
  'a zero-width space': '\u200b',
  'joiners alone': '\u200d\u200c\u2060',
  'directions of writing': '\u202e\u2066\u2069\u061c',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'fillers of Hangul': '\u3164\u115f\u1160\uffa0',
  'blanks of Braille': '\u2800\u2800',
  'combining marks without a letter': '\u0301\u0308\u20dd\u034f',
  'vowels of Khmer that are not written': '\u17b4\u17b5',
  'selectors of variants': '\ufe0f\u{e0100}\u180b',
  tags: '\u{e0041}\u{e007f}',
  'controls of shorthand and music': '\u{1bca0}\u{1d173}\u{1d159}',
  'blank hieroglyphs': '\u{13441}\u{13442}',
  'a lost object': '\ufffc',
  'signs of private use': '\ue000\u{f0000}',
  'signs that are not assigned': '\u0378',
  'controls of old terminals': '\u0001\u007f\u0085',
  'all of these together': '\u200b \u3164\u2800\u0301\ufe0f',
};

const NAMES = {
  Latin: 'Ada',
  'one letter': 'x',
  Chinese: '名',
  'Persian with a joiner inside': 'می\u200cخواهم',
  Hindi: 'हिन्दी',
  Thai: 'ก',
  Korean: '한글',
  'letters of Korean': 'ㅏ',
  Arabic: 'سلام',
  hieroglyphs: '𓀀',
  'a family of emoji': '👨\u200d👩\u200d👧',
  'a flag': '🇩🇪',
  'a keycap': '1\ufe0f\u20e3',
  'a letter with its mark apart': 'e\u0301',
  digits: '42',
  punctuation: '...',
  'dots of Braille': '⠿',
  'an invisible sign before a letter': '\u200ba',
};

describe('a text shows nothing that is', () => {
  test.each(Object.entries(NOTHING_TO_SEE))('%s', (_, text) => expect(isVisible(text)).toBe(false));
});

describe('a text shows something that is', () => {
  test.each(Object.entries(NAMES))('%s', (_, text) => expect(isVisible(text)).toBe(true));
});

test('what may be left empty may be blank, and is else judged alike', () => {
  const optional = new RegExp(VISIBLE_OR_BLANK, 'u');
  for (const blank of ['', ' ', '\u3000']) expect(optional.test(blank)).toBe(true);
  for (const ghost of ['\u200b', ' \u200b', '\u3164', '\u2800']) expect(optional.test(ghost)).toBe(false);
  for (const name of Object.values(NAMES)) expect(optional.test(name)).toBe(true);
});
