// The meanings of words in hidden addresses: one table of all vocabularies, made once. Words are looked up in folded form,
// so that accents, letter case and variants of letters do not matter.
import { once } from '../once.ts';
import { normalForm } from '../text/normal-form.ts';
import * as chat from './vocabulary/chat-words.ts';
import * as mail from './vocabulary/mail-words.ts';
import * as phone from './vocabulary/phone-words.ts';

/** Meanings, as bits: a word may have several. */
export const AT = 1 << 0;
export const AT_VAGUE = 1 << 1;
export const DOT = 1 << 2;
export const DOT_VAGUE = 1 << 3;
export const TOP = 1 << 4;
export const TOP_COMMON = 1 << 5;
export const MAIL = 1 << 6;
export const MAIL_VAGUE = 1 << 7;
export const MAIL_CUE = 1 << 8;
export const CONTACT = 1 << 9;
export const PHONE = 1 << 10;
export const PHONE_VAGUE = 1 << 11;
export const PART = 1 << 12;
export const COUNTED = 1 << 13;
export const OTHERWISE = 1 << 14;
export const CHAT = 1 << 15;
export const CHAT_VAGUE = 1 << 16;
export const ACCOUNT_NAME = 1 << 17;

export interface Meaning {
  readonly is: number;
  /** The value of a numeral as digits. */
  readonly digits: string | null;
  /** The numeral is more often another word. */
  readonly weak: boolean;
}

const ASCII = /^[\0-\x7f]*$/;
/** Marks that a writer may leave out: accents, Arabic and Hebrew points, the nukta. Vowel signs of Indian scripts stay. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670\u093c\u09bc\u0a3c\p{Default_Ignorable_Code_Point}]+/gu;
/** Maps a letter to its spelling in the table. */
const LETTERS = new Map(
  'ßss øo ØO đd ĐD łl ŁL ıi æae œoe ςσ ىي یي کك ةه ۀه ھه ہه ەه ےي ؤو ٱا ँं ঁং'
    .split(' ')
    .map((pair): [string, string] => [pair.charAt(0), pair.slice(1)]),
);
const SPELT = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

/** Folds a text to the spelling of the table, with letter case. Linear. */
export function foldWords(text: string): string {
  if (ASCII.test(text)) return text;
  return normalForm(normalForm(text, 'NFKD').replace(MARKS, ''), 'NFC').replace(
    SPELT,
    (sign) => LETTERS.get(sign) ?? sign,
  );
}

/** Filled at the first look. */
const table = new Map<string, Meaning>();
/** The length in words of the longest phrase, by its first word. */
const phrases = new Map<string, number>();

/** The key of a phrase: its words with one space between. */
const keyOf = (phrase: string): string =>
  foldWords(phrase)
    .toLowerCase()
    .replace(/['’ʼ]/g, '')
    .split(/[\s-]+/)
    .filter(Boolean)
    .join(' ');

function put(phrase: string, is: number, digits: string | null = null, weak = false): void {
  const key = keyOf(phrase);
  if (key === '') return;
  const known = table.get(key);
  const numeral = digits ?? known?.digits ?? null;
  table.set(key, {
    is: (known?.is ?? 0) | is,
    digits: numeral,
    weak: digits === null ? (known?.weak ?? false) : weak && (known?.weak ?? true),
  });
  const words = key.split(' ');
  const [first = ''] = words;
  if (words.length > 1) phrases.set(first, Math.max(phrases.get(first) ?? 0, words.length));
}

function putAll(line: string, is: number): void {
  for (const phrase of line.split(line.includes(',') ? /[,\n]/ : /\s+/)) put(phrase, is);
}

function putNumeral(value: string, names: readonly string[]): void {
  for (const name of names) put(name.replace('?', ''), 0, value, name.endsWith('?'));
}

const filled = once((): true => {
  putAll(mail.AT_CLEAR, AT);
  putAll(mail.AT_VAGUE, AT_VAGUE);
  putAll(mail.DOT_CLEAR, DOT);
  putAll(mail.DOT_VAGUE, DOT_VAGUE);
  putAll(mail.TOPS, TOP);
  putAll(mail.TOPS_COMMON, TOP_COMMON);
  putAll(mail.MAIL_CLEAR, MAIL);
  putAll(mail.MAIL_VAGUE, MAIL_VAGUE);
  putAll(mail.MAIL_CUES, MAIL_CUE);
  putAll(mail.CONTACT_CUES, CONTACT);
  putAll(phone.PHONE_CUES, PHONE);
  putAll(phone.PHONE_VAGUE, PHONE_VAGUE);
  putAll(phone.PARTS, PART);
  putAll(phone.COUNTED, COUNTED);
  putAll(phone.NUMBERED_OTHERWISE, OTHERWISE);
  putAll(chat.CHAT_CLEAR, CHAT);
  putAll(chat.CHAT_VAGUE, CHAT_VAGUE);
  putAll(chat.ACCOUNT_NAMES, ACCOUNT_NAME);
  for (const line of phone.DIGIT_WORDS)
    for (const [digit, names] of line.split(' ').entries()) putNumeral(`${digit}`, names.split('='));
  for (const entry of phone.LARGER.join(' ').split(' ')) {
    const [value = '', ...names] = entry.split('=');
    putNumeral(value, names);
  }
  return true;
});

/** The meaning of unknown words. */
export const NOTHING: Meaning = { is: 0, digits: null, weak: false };

/** The meaning of a folded, lower-case word or phrase. */
export function meaningOf(word: string): Meaning {
  filled();
  return table.get(word) ?? NOTHING;
}

export const isMeant = (word: string, meanings: number): boolean => (meaningOf(word).is & meanings) !== 0;

export const isKnown = (word: string): boolean => filled() && table.has(word);

/** The length in words of the longest phrase with this first word; 0 without one. */
export function phraseLength(word: string): number {
  filled();
  return phrases.get(word) ?? 0;
}

/** The longest word that is searched in text without spaces. */
export const WORD_MAX = 8;

const times = once(
  () =>
    new Map(
      phone.TIMES.split(' ').flatMap((line) => {
        const [n, ...names] = line.split('=');
        return names.map((name): [string, number] => [keyOf(name), Number(n)]);
      }),
    ),
);
/** How often the next digit counts after a word such as "double". */
export function timesOf(word: string): number {
  return times().get(word) ?? 1;
}

const ands = once(() => new Set(phone.AND_WORDS.split(' ').map(keyOf)));
export const isAnd = (word: string): boolean => ands().has(word);
