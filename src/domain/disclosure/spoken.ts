// Numbers as they are spoken: digit by digit in several languages, with "double" and "hundred", as people spell a phone
// number to get it past a filter; and the groups of digits that a text holds, whichever way they were written.
import type { Token } from './tokens.ts';

const DIGITS: Readonly<Record<string, string>> = {
  zero: '0',
  o: '0',
  oh: '0',
  nought: '0',
  naught: '0',
  null: '0',
  cero: '0',
  nul: '0',
  one: '1',
  eins: '1',
  uno: '1',
  un: '1',
  um: '1',
  two: '2',
  zwei: '2',
  zwo: '2',
  dos: '2',
  deux: '2',
  dois: '2',
  due: '2',
  three: '3',
  drei: '3',
  tres: '3',
  trois: '3',
  tre: '3',
  four: '4',
  vier: '4',
  cuatro: '4',
  quatre: '4',
  quatro: '4',
  quattro: '4',
  five: '5',
  funf: '5',
  fuenf: '5',
  cinco: '5',
  cinq: '5',
  cinque: '5',
  fife: '5',
  six: '6',
  sechs: '6',
  seis: '6',
  sei: '6',
  seven: '7',
  sieben: '7',
  siete: '7',
  sept: '7',
  sete: '7',
  sette: '7',
  eight: '8',
  acht: '8',
  ocho: '8',
  huit: '8',
  oito: '8',
  otto: '8',
  ate: '8',
  nine: '9',
  neun: '9',
  nueve: '9',
  neuf: '9',
  nove: '9',
  niner: '9',
};

const TEENS: Readonly<Record<string, string>> = {
  ten: '10',
  eleven: '11',
  twelve: '12',
  thirteen: '13',
  fourteen: '14',
  fifteen: '15',
  sixteen: '16',
  seventeen: '17',
  eighteen: '18',
  nineteen: '19',
  twenty: '20',
  thirty: '30',
  forty: '40',
  fifty: '50',
  sixty: '60',
  seventy: '70',
  eighty: '80',
  ninety: '90',
};

const TIMES = new Map([
  ['double', 2],
  ['triple', 3],
  ['treble', 3],
]);

/** Words that stand between spoken digits as a sign would. */
const BETWEEN = new Set(['dash', 'hyphen', 'space', 'dot', 'minus', 'bindestrich']);

const NUMBERS = new Map([...Object.entries(TEENS), ...Object.entries(DIGITS)]);

/** The digits of a spoken number, null when the word is none. */
export function spokenNumber(word: string): string | null {
  return NUMBERS.get(word) ?? null;
}

/** A group of digits: `before` is what joined it to the group ahead of it, `at` and `end` its tokens. */
export interface Group {
  readonly digits: string;
  readonly before: string;
  readonly spoken: boolean;
  readonly at: number;
  readonly end: number;
}

/** Groups that follow one another with nothing but separators between. */
export type Run = readonly Group[];

const SEPARATORS = new Set(['-', '.', '/', '(', ')', '_', '~', ',']);
const SEPARATORS_MAX = 3;

function numberAt(tokens: readonly Token[], at: number): { digits: string; end: number; spoken: boolean } | null {
  const token = tokens[at];
  if (!token || token.kind === 'sign') return null;
  if (token.kind === 'number') return { digits: token.lower, end: at + 1, spoken: false };
  const times = TIMES.get(token.lower);
  const next = tokens[at + 1];
  if (times !== undefined && next) {
    const digit = next.kind === 'number' && next.lower.length === 1 ? next.lower : DIGITS[next.lower];
    return digit === undefined ? null : { digits: digit.repeat(times), end: at + 2, spoken: true };
  }
  const digits = spokenNumber(token.lower);
  if (digits === null) return null;
  if (digits.length === 2 && digits.endsWith('0') && digits !== '10') {
    const unit = DIGITS[next?.lower ?? ''];
    if (unit !== undefined && unit !== '0') return { digits: `${digits[0]}${unit}`, end: at + 2, spoken: true };
  }
  const hundred = next?.lower === 'hundred' && digits.length === 1;
  return { digits: hundred ? `${digits}00` : digits, end: hundred ? at + 2 : at + 1, spoken: true };
}

/** What stands between two groups, and where the next may begin; null where something else than a separator stands. */
function between(tokens: readonly Token[], from: number): { signs: string; at: number } | null {
  let signs = '';
  for (let at = from; at <= from + SEPARATORS_MAX; at++) {
    const token = tokens[at];
    if (!token) return null;
    if (token.spaced) signs += ' ';
    if (numberAt(tokens, at)) return { signs, at };
    if (BETWEEN.has(token.lower)) signs += '-';
    else if (SEPARATORS.has(token.lower)) signs += token.lower;
    else return null;
  }
  return null;
}

/** All runs of digit groups of a text, in order; each token belongs to one at most. */
export function runsOf(tokens: readonly Token[]): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < tokens.length; ) {
    let number = numberAt(tokens, at);
    if (!number) {
      at += 1;
      continue;
    }
    const run: Group[] = [];
    let before = '';
    while (number) {
      run.push({ digits: number.digits, before, spoken: number.spoken, at, end: number.end });
      at = number.end;
      const next = between(tokens, at);
      if (!next) break;
      before = next.signs;
      at = next.at;
      number = numberAt(tokens, at);
    }
    runs.push(run);
  }
  return runs;
}
