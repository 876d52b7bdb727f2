// What words mean to somebody who hides an address: one table of all vocabularies, made once. A word is looked up as it is
// folded here, so that accents, letter case and spellings of one letter do not matter.
import { normalForm } from '../text/normal-form.ts';
import * as address from './vocabulary/address-words.ts';
import * as chat from './vocabulary/chat-words.ts';
import * as mail from './vocabulary/mail-words.ts';
import * as numerals from './vocabulary/numerals.ts';
import * as phone from './vocabulary/phone-words.ts';
import * as secret from './vocabulary/secret-words.ts';
import * as spelling from './vocabulary/spelling-words.ts';

/** Meanings, as bits: a word may have several. */
export const AT = 1 << 0;
export const AT_VAGUE = 1 << 1;
export const DOT = 1 << 2;
export const DOT_VAGUE = 1 << 3;
export const JOIN = 1 << 4;
export const SLASH = 1 << 5;
export const TOP = 1 << 6;
export const TOP_COMMON = 1 << 7;
export const MAIL = 1 << 8;
export const MAIL_VAGUE = 1 << 9;
export const MAIL_CUE = 1 << 10;
export const CONTACT = 1 << 11;
export const PHONE = 1 << 12;
export const PHONE_VAGUE = 1 << 13;
export const PART = 1 << 14;
export const COUNTED = 1 << 15;
export const OTHERWISE = 1 << 16;
export const CHAT = 1 << 17;
export const CHAT_VAGUE = 1 << 18;
export const PAY = 1 << 19;
export const ACCOUNT_NAME = 1 << 20;
export const ELSEWHERE = 1 << 21;
export const SECRET = 1 << 22;
export const PIN = 1 << 23;
export const TOPIC = 1 << 24;
export const BANK = 1 << 25;
export const STREET = 1 << 26;
export const HOME = 1 << 27;
export const STREET_TOPIC = 1 << 28;
export const GLUE = 1 << 29;
export const BACKWARDS = 1 << 30;

export interface Meaning {
  readonly is: number;
  /** The digits of a numeral. */
  readonly digits: string | null;
  /** The numeral is mostly another word. */
  readonly weak: boolean;
}

const ASCII = /^[\0-\x7f]*$/;
/** Marks that a writer may leave out: accents, Arabic and Hebrew points, the nukta. Vowel signs of Indian scripts stay. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670\u093c\u09bc\u0a3c\p{Default_Ignorable_Code_Point}]+/gu;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ۀ: 'ه',
  ھ: 'ه',
  ہ: 'ه',
  ە: 'ه',
  ے: 'ي',
  ؤ: 'و',
  ٱ: 'ا',
  'ँ': 'ं',
  'ঁ': 'ং',
};
const SPELT = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** A text in the one spelling that the table has, letter case kept. Linear. */
export function foldWords(text: string): string {
  if (ASCII.test(text)) return text;
  return normalForm(normalForm(text, 'NFKD').replace(MARKS, ''), 'NFC').replace(SPELT, (sign) => LETTERS[sign] ?? sign);
}

const table = new Map<string, Meaning>();
/** How many words the longest phrase has that begins with a word. */
const phrases = new Map<string, number>();

const numeralStarts = new Set<string>();

/** Whether a numeral may begin as a word does, so that most words are passed over at one look. */
export const beginsNumeral = (word: string): boolean => numeralStarts.has(word.slice(0, 2));

/** A phrase as it is looked up: words with one space between. */
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
  if (digits !== null && key.length > 1) numeralStarts.add(key.slice(0, 2));
  table.set(key, {
    is: (known?.is ?? 0) | is,
    digits: numeral,
    weak: digits === null ? (known?.weak ?? false) : weak && (known?.weak ?? true),
  });
  const words = key.split(' ');
  const [first = ''] = words;
  if (words.length > 1) phrases.set(first, Math.max(phrases.get(first) ?? 0, words.length));
}

const listWords = (lines: string | Readonly<Record<string, string>>): string[] =>
  (typeof lines === 'string' ? [lines] : Object.values(lines)).flatMap((line) => line.split(/[,，、]/));

function putAll(lines: string | Readonly<Record<string, string>>, is: number): void {
  for (const phrase of listWords(lines)) put(phrase, is);
}

const NUMERAL = /^(.+?)(\?)?$/;

function putNumerals(): void {
  for (const line of Object.values(numerals.DIGIT_WORDS)) {
    for (const [digit, words] of line.split(' ').entries()) {
      for (const word of words.split('=')) {
        const [, name = '', weak] = NUMERAL.exec(word) ?? [];
        put(name, 0, `${digit}`, weak !== undefined);
      }
    }
  }
  for (const line of Object.values(numerals.LARGER)) {
    for (const entry of line.split(' ')) {
      const [value = '', ...words] = entry.split('=');
      if (!/^\d+$/.test(value)) continue;
      for (const word of words) {
        const [, name = '', weak] = NUMERAL.exec(word) ?? [];
        put(name, 0, value, weak !== undefined);
      }
    }
  }
  for (const [word, digit] of Object.entries(numerals.PLURAL_DIGITS)) put(word, 0, digit, true);
}

const spaceWords = (line: string): string => line.split(/\s+/).join(',');

function fill(): void {
  const kinds: readonly (readonly [string | Readonly<Record<string, string>>, number])[] = [
    [address.AT_CLEAR, AT],
    [address.AT_VAGUE, AT_VAGUE],
    [address.DOT_CLEAR, DOT],
    [address.DOT_VAGUE, DOT_VAGUE],
    [address.JOINS, JOIN],
    [address.SLASHES, SLASH],
    [mail.TOPS_SPOKEN, TOP],
    [spaceWords(mail.TOPS), TOP],
    [spaceWords(mail.TOPS_COMMON), TOP_COMMON],
    [mail.MAIL_CLEAR, MAIL],
    [mail.MAIL_VAGUE, MAIL_VAGUE],
    [mail.MAIL_CUES, MAIL_CUE],
    [mail.CONTACT_CUES, CONTACT],
    [mail.GLUE_CUES, GLUE],
    [phone.PHONE_CUES, PHONE],
    [phone.PHONE_VAGUE, PHONE_VAGUE],
    [phone.PARTS, PART],
    [spaceWords(phone.COUNTED), COUNTED],
    [spaceWords(phone.NUMBERED_OTHERWISE), OTHERWISE],
    [chat.CHAT_CLEAR, CHAT],
    [chat.CHAT_VAGUE, CHAT_VAGUE],
    [chat.PAY_NAMES, PAY],
    [chat.ACCOUNT_NAMES, ACCOUNT_NAME],
    [chat.ELSEWHERE, ELSEWHERE],
    [secret.SECRETS, SECRET],
    [secret.PINS, PIN],
    [spaceWords(secret.SECRET_TOPICS), TOPIC],
    [secret.ACCOUNTS, BANK],
    [secret.STREETS, STREET],
    [secret.HOMES, HOME],
    [spaceWords(secret.STREET_TOPICS), STREET_TOPIC],
    [spelling.BACKWARDS, BACKWARDS],
  ];
  for (const [lines, is] of kinds) putAll(lines, is);
  putNumerals();
}
fill();

/** The meaning of every word that has none here. */
export const NOTHING: Meaning = { is: 0, digits: null, weak: false };

/** What a folded word or phrase in small letters means. */
export function meaningOf(word: string): Meaning {
  return table.get(word) ?? NOTHING;
}

export const isKnown = (word: string): boolean => table.has(word);

/** How many words a phrase may have that begins with this one; 0 when none does. */
export function phraseLength(word: string): number {
  return phrases.get(word) ?? 0;
}

/** No word is longer that is looked for within a text without spaces. */
export const WORD_MAX = 8;

const times = new Map(Object.entries(numerals.TIMES).map(([word, n]) => [keyOf(word), n]));
/** How often the next digit counts behind "double". */
export function timesOf(word: string): number {
  return times.get(word) ?? 1;
}

const ANDS = new Set(numerals.AND_WORDS.split(' ').map(keyOf));
export const isAnd = (word: string): boolean => ANDS.has(word);

const callNames = new Set(Object.values(spelling.SPELLING_NAMES).flatMap((line) => line.split(' ').map(keyOf)));
/** Whether a word spells its first letter, as "alpha" does. */
export const spellsLetter = (word: string): boolean => callNames.has(word);
