// Tokenises texts into signs: words with their meaning, numbers in digits, the @ and the dot, each with the gap before it.
// Look-alikes, spaced letters, digits among letters and phrases are resolved here, once for all detectors. Linear in the texts.
import { normalForm, writeOut } from '../text/normal-form.ts';
import { lookOf, resolveEscapes } from './legible.ts';
import { foldWords, isKnown, type Meaning, meaningOf, NOTHING, WORD_MAX } from './lexicon.ts';

export interface Sign extends Meaning {
  readonly kind: 'word' | 'number' | 'at' | 'dot';
  /** Folded and lower case; for a number its digits as written. */
  readonly text: string;
  /** The text between the previous sign and this one: spaces and signs without a meaning of their own. */
  readonly gap: string;
  /** The index of its text. */
  readonly field: number;
  /** Its position in the folded text. */
  readonly start: number;
  readonly end: number;
  /** A number in words, or with letters for digits. */
  readonly spoken: boolean;
  readonly capital: boolean;
  /** Its letters were spaced. */
  readonly drawn: boolean;
}

/** Longer gaps are cut. */
const GAP_MAX = 12;

const HIDDEN = /\p{Default_Ignorable_Code_Point}+/gu;
const KEYCAP = /\ufe0f?\u20e3/g;
const ENCLOSING = /[\u20dd-\u20e4\ufe0f]+/g;
/** A framed a by itself stands for @. */
const FRAMED_A =
  /(?<![\u24b6-\u24e9\u{1f130}-\u{1f189}])[\u24d0\u24b6\u{1f170}\u{1f130}\u{1f150}](?![\u24b6-\u24e9\u{1f130}-\u{1f189}])/gu;
const FOREIGN = /[^\0-\x7f\p{L}\p{M}]/gu;
const APOSTROPHES = /(?<=\p{Script=Cyrillic})['’ʼ](?=\p{Script=Cyrillic})/gu;
const ASCII = /^[\0-\x7f]*$/;
/** Ids of programs: their digits are no phone number, their letters no name. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const HEX = /^(?=[a-f]*[0-9])(?:[0-9a-f]{6,16}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

const showLooks = (text: string): string => writeOut(text, FOREIGN, (sign) => lookOf(sign) ?? sign);

/** Prepares a text: without entities, invisible signs and accents, digits of every script as ASCII. */
export function makeReadable(text: string): string {
  const plain = resolveEscapes(text).replace(UUID, 'mark');
  if (ASCII.test(plain)) return plain;
  const shown = plain.replace(KEYCAP, ' ').replace(ENCLOSING, '').replace(FRAMED_A, '@');
  const composed = showLooks(normalForm(showLooks(shown), 'NFKC'));
  return foldWords(resolveEscapes(composed.replace(HIDDEN, '').replace(APOSTROPHES, '')));
}

type Class = 'letter' | 'dense' | 'digit' | 'sign';
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー〇]/u;
const LETTER = /[\p{L}\p{M}]/u;

const classes = new Map<number, Class>();
/** As many signs as the supported scripts have; beyond it the cache is cleared. */
const CLASSES_MAX = 20_000;

function classOf(code: number): Class {
  if (code < 128) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 'letter';
    return code >= 48 && code <= 57 ? 'digit' : 'sign';
  }
  const known = classes.get(code);
  if (known) return known;
  if (classes.size >= CLASSES_MAX) classes.clear();
  const sign = String.fromCharCode(code);
  const made: Class = DENSE.test(sign) ? 'dense' : LETTER.test(sign) ? 'letter' : 'sign';
  classes.set(code, made);
  return made;
}

/** Letters in place of digits that they look like. */
const DIGIT_LOOKS: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', s: '5', z: '2', b: '8' };
const LOOKS = /^[oilszb]{1,4}$/i;
const LOOKS_MAX = 4;
/** Latin, Greek and Cyrillic capitals have lower code points. */
const LOWER_FROM = 0x530;
const CAPITAL_LOOKS = /^[OILSZB]{2,4}$/;
const MIXED_MAX = 24;

/** Reads one text and appends its signs. */
class SignReader {
  gapFrom = 0;
  constructor(
    readonly text: string,
    readonly field: number,
    readonly signs: Sign[],
  ) {}

  add(kind: Sign['kind'], start: number, end: number, text: string, meaning: Meaning, spoken = false): void {
    const before = this.text.slice(Math.max(this.gapFrom, start - GAP_MAX), start);
    const gap = this.gapFrom === 0 && this.signs.at(-1)?.field !== this.field ? `\n${before}` : before;
    const first = this.text.charCodeAt(start);
    const capital = kind === 'word' && first < LOWER_FROM && text.charCodeAt(0) !== first;
    const { is, digits, weak } = meaning;
    this.signs.push({
      kind,
      text,
      is,
      digits,
      weak,
      gap,
      field: this.field,
      start,
      end,
      spoken,
      capital,
      drawn: false,
    });
    this.gapFrom = end;
  }

  number(start: number, end: number, digits: string, spoken = false): void {
    this.add('number', start, end, digits, { is: meaningOf(digits).is, digits, weak: false }, spoken);
  }

  /** Reads a run of letters. A word that looks entirely Latin is read as Latin where it has no meaning in its own script. */
  word(start: number, end: number): void {
    const text = this.text.slice(start, end).toLowerCase();
    let meaning = meaningOf(text);
    let shown = text;
    if (meaning.is === 0 && meaning.digits === null && !ASCII.test(text)) {
      shown = [...text]
        .map((sign) => lookOf(sign) ?? sign)
        .join('')
        .toLowerCase();
      if (!ASCII.test(shown)) shown = text;
      else meaning = meaningOf(shown);
    }
    if (end - start <= LOOKS_MAX && meaning === NOTHING && CAPITAL_LOOKS.test(this.text.slice(start, end))) {
      meaning = { is: 0, digits: [...text].map((sign) => DIGIT_LOOKS[sign] ?? '').join(''), weak: true };
    }
    this.add('word', start, end, shown, meaning, meaning.digits !== null);
  }

  /** Reads letters of a script without spaces: the longest known words, and the rest between them. */
  dense(start: number, end: number): void {
    let rest = start;
    for (let at = start; at < end; ) {
      let size = Math.min(WORD_MAX, end - at);
      while (size > 0 && !isKnown(this.text.slice(at, at + size))) size -= 1;
      if (size === 0) {
        at += 1;
        continue;
      }
      if (at > rest) this.add('word', rest, at, this.text.slice(rest, at), NOTHING);
      const text = this.text.slice(at, at + size);
      const meaning = meaningOf(text);
      this.add('word', at, at + size, text, meaning, meaning.digits !== null);
      at += size;
      rest = at;
    }
    if (end > rest) this.add('word', rest, end, this.text.slice(rest, end), NOTHING);
  }

  /** Reads letters and digits without a space: a number with letters for digits, or alternating parts. */
  mixed(start: number, end: number): void {
    const whole = this.text.slice(start, end).toLowerCase();
    if (HEX.test(whole)) {
      this.add('word', start, end, whole, NOTHING);
      return;
    }
    for (let at = start; at < end; ) {
      const kind = classOf(this.text.charCodeAt(at));
      let to = at + 1;
      while (to < end && classOf(this.text.charCodeAt(to)) === kind) to += 1;
      const part = this.text.slice(at, to);
      if (kind === 'digit') this.number(at, to, part);
      else if (LOOKS.test(part) && this.isLeet(at, to, start, end) && meaningOf(part.toLowerCase()).digits === null) {
        this.number(at, to, [...part.toLowerCase()].map((sign) => DIGIT_LOOKS[sign] ?? '').join(''), true);
      } else this.word(at, to);
      at = to;
    }
  }

  /** Whether letters stand for digits: between two, or an o at the edge; "1920s" and "B2B" have none. */
  isLeet(from: number, to: number, start: number, end: number): boolean {
    if (from > start && to < end) return true;
    if (/^o+$/i.test(this.text.slice(from, to))) return true;
    const joined =
      /^[-.][0-9oil]/i.test(this.text.slice(end, end + 2)) || /[0-9]-$/.test(this.text.slice(start - 2, start));
    // The length of a number; the rest of a longer run is not part of one.
    const run = this.text.slice(start, Math.min(end, start + MIXED_MAX));
    if (joined && !/^(?:19|20)\d0s/i.test(run)) return true;
    return /[0-9][oilszb][0-9]|^o/i.test(run);
  }

  run(start: number): number {
    const first = classOf(this.text.charCodeAt(start));
    let end = start + 1;
    if (first === 'dense') {
      while (end < this.text.length && classOf(this.text.charCodeAt(end)) === 'dense') end += 1;
      this.dense(start, end);
      return end;
    }
    let letters = first === 'letter';
    let digits = first === 'digit';
    for (; end < this.text.length; end++) {
      const kind = classOf(this.text.charCodeAt(end));
      if (kind === 'letter') letters = true;
      else if (kind === 'digit') digits = true;
      else break;
    }
    if (letters && digits) this.mixed(start, end);
    else if (letters) this.word(start, end);
    else this.number(start, end, this.text.slice(start, end));
    return end;
  }

  read(): void {
    for (let at = 0; at < this.text.length; ) {
      const code = this.text.charCodeAt(at);
      if (classOf(code) !== 'sign') {
        at = this.run(at);
        continue;
      }
      if (code === 64) this.add('at', at, at + 1, '@', NOTHING);
      // Several dots in a row are a pause.
      const dots = this.text.charCodeAt(at + 1) === 46 || this.text.charCodeAt(at - 1) === 46;
      if (code === 46 && !dots) this.add('dot', at, at + 1, '.', NOTHING);
      at += 1;
    }
  }
}

/** Reads prepared texts in sequence. */
export function readSigns(texts: readonly string[]): Sign[] {
  const signs: Sign[] = [];
  for (const [field, text] of texts.entries()) {
    new SignReader(text, field, signs).read();
  }
  return signs;
}
