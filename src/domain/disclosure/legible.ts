// Normalises text to what a person would read: without invisible characters, look-alikes of other scripts as the Latin
// letters that they show, entities decoded. Detection uses this, so that disguises of characters need no rules of their own.
import anyAscii from 'any-ascii';
import { normalForm, writeOut } from '../text/normal-form.ts';

const ASCII = /^[\0-\x7f]*$/;
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{M}]+/gu;
const FOREIGN = /[^\0-\x7f]/gu;

// The Latin letter, and the letters of other scripts that look like it (not those that sound like it).
const LETTERS = `aаɑα bвβ cсϲᴄ dԁ eеєεҽ fғ gɡց hһн iіιıɩӏ jјϳ kкκ lⅼǀ mмμ nոпη oоοօ pрρ qԛ rгᴦ sѕ tтτ uυսц vѵν wѡωԝ xхχ yуүγ zᴢ
  AАΑ BВΒ CСϹ EЕΕ HНΗ IІΙ JЈ KКΚ MМΜ NΝ OОΟ PРΡ SЅ TТΤ XХΧ YУΥ ZΖ`;
const SIGNS: readonly (readonly [string, string])[] = [
  ['。｡·•∙⋅‧・◦⚫⬤●', '.'],
  ['⓿🄋🄌', '0'],
  ['‐‑‒–—―−⁃﹣－', '-'],
  ['☎☏✆📞📱📲', ' phone '],
  ['✉📧📩📨', ' email '],
  ['：∶', ':'],
  ['⁄∕', '/'],
];

const LOOK = new Map([
  ...LETTERS.split(/\s+/).flatMap(([as = '', ...signs]) => signs.map((sign): [string, string] => [sign, as])),
  ...SIGNS.flatMap(([signs, as]) => [...signs].map((sign): [string, string] => [sign, as])),
]);

/** Blocks of framed letters and digits that NFKC does not map: first code point, count, first character. */
const FRAMED: readonly (readonly [number, number, string])[] = [
  [0x1f150, 26, 'a'],
  [0x1f170, 26, 'a'],
  [0x1f1e6, 26, 'a'],
  [0x2776, 9, '1'],
  [0x278a, 9, '1'],
  [0x2780, 9, '1'],
];

const seen = new Map<string, string>();
/** More signs than texts of all languages use; beyond it the cache is cleared. */
const SEEN_MAX = 20_000;

// Cyrillic, Greek and other letters that look like no Latin one stay: words of their languages are detected too.
function characterOf(whole: string): string {
  const sign = LOOK.has(whole) ? whole : whole.normalize('NFD').replace(HIDDEN, '') || whole;
  const look = LOOK.get(sign);
  if (look !== undefined) return look;
  const code = sign.codePointAt(0) ?? 0;
  const framed = FRAMED.find(([first, count]) => code >= first && code < first + count);
  if (framed) return String.fromCharCode(framed[2].charCodeAt(0) + code - framed[0]);
  if (/[\p{Script=Latin}\p{Nd}]/u.test(sign)) return anyAscii(sign);
  if (/\p{L}/u.test(sign)) return sign;
  if (sign === '〒') return sign;
  return /[\p{P}\p{Sm}\p{Sc}\p{Zs}]/u.test(sign) ? sign : ' ';
}

/** The Latin look of a digit of any script, a framed letter or a look-alike; undefined for other signs. */
export function lookOf(sign: string): string | undefined {
  const made = showLook(sign);
  return made === sign || made === ' ' ? undefined : made;
}

function showLook(sign: string): string {
  const known = seen.get(sign);
  if (known !== undefined) return known;
  if (seen.size >= SEEN_MAX) seen.clear();
  const made = characterOf(sign);
  seen.set(sign, made);
  return made;
}

const ENTITY = /&#(x[0-9a-f]{1,6}|[0-9]{1,7});?/gi;
const ESCAPE = /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([2-7][0-9a-f])/gi;
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/&commat;|%40|\\x40|\\u0040/gi, '@'],
  [/&period;|%2e/gi, '.'],
  [/&nbsp;|%20/gi, ' '],
  [/&(?:zwnj|zwj|shy);/gi, ''],
];
/** A tag splits a word for machines only; `<at>` and `<dot>` are words themselves. */
const TAG = /<(?!\s?(?:at|dot|a|punkt)\s?>)\/?[a-z!][^<>]{0,60}>/gi;
const EMPHASIS = /[*`]{1,3}|~~|__(?=[a-z0-9@])/gi;

function decodeEntity(whole: string, digits: string): string {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** Removes a tag, but keeps an address in angle brackets or in a link. */
function untag(tag: string): string {
  return /@|tel:/i.test(tag) ? ` ${tag.slice(1, -1)} ` : '';
}

/** Decodes entities and escapes, and removes tags. */
export function resolveEscapes(text: string): string {
  let plain = text;
  if (/[&%\\]/.test(plain)) {
    plain = plain.replace(ENTITY, decodeEntity);
    plain = plain.replace(ESCAPE, (whole, ...codes: (string | undefined)[]) => {
      const code = Number.parseInt(codes[0] ?? codes[1] ?? codes[2] ?? '', 16);
      return code > 0x1f ? String.fromCharCode(code) : whole;
    });
    for (const [sign, as] of NAMED) plain = plain.replace(sign, as);
  }
  return plain.includes('<') ? plain.replace(TAG, untag) : plain;
}

function decodeLetters(text: string): string {
  const plain = resolveEscapes(text);
  return /[*`~_]/.test(plain) ? plain.replace(EMPHASIS, '') : plain;
}

/** The legible text, with letter case. */
export function makeLegible(text: string): string {
  const plain = decodeLetters(text);
  if (ASCII.test(plain)) return plain;
  const composed = normalForm(plain, 'NFKC').replace(HIDDEN, '');
  return decodeLetters(writeOut(composed, FOREIGN, showLook));
}

const JOINT = /[ \t\-_|~/]/;
const JOINTS = /[ \t\-_|~/]/g;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const CLOSES = /[\s.,;:!?)]/;
const SPACE = /\s/;
/** "a b" may be two words; "a b c" is a spaced word. */
const JOINTS_MIN = 2;

/** The length of a letter, digit, @ or dot at a position; 0 for other signs. */
function singleAt(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return 0;
  if (code < 128) return /[A-Za-z0-9@.]/.test(text.charAt(at)) ? 1 : 0;
  return LETTER_OR_DIGIT.test(String.fromCodePoint(code)) ? (code > 0xffff ? 2 : 1) : 0;
}

/** The chain of single signs with separators that begins at a position: the end of its last letter or digit before white
 * space or a closing sign (0 without one), and where the chain stops. */
function chainAt(text: string, from: number): { readonly end: number; readonly stop: number } {
  let end = 0;
  let at = from;
  for (let joints = 0; ; joints++) {
    const size = singleAt(text, at);
    const next = text.charAt(at + size);
    const ends = size > 0 && joints >= JOINTS_MIN && (next === '' || CLOSES.test(next));
    if (ends && !'@.'.includes(text.charAt(at))) end = at + size;
    if (size === 0 || !JOINT.test(next)) return { end, stop: at };
    at += size + 1;
  }
}

/**
 * Joins spaced letters ("j o h n @ …", "5-5-5-…"); returns the same text where there are none. Each chain is walked once,
 * since a chain that begins within another ends with it.
 */
export function drawTogether(text: string): string {
  let drawn = '';
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    const { end, stop } = chainAt(text, at);
    if (end > 0) {
      drawn += text.slice(kept, at) + text.slice(at, end).replace(JOINTS, '');
      kept = end;
    }
    at = stop;
    while (at < text.length && !SPACE.test(text.charAt(at))) at += 1;
    at += 1;
  }
  return kept === 0 ? text : drawn + text.slice(kept);
}
