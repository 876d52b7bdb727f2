// Amounts in a text, however they are written: what a model may not say is looked for in digits, with separators between them, and in
// English words. What is only described ("twice two hundred and a half") is not found; so a model is never told a limit.

/** Digits with at most one separator between each two, and what follows that makes thousands of them. */
const NUMBERS = /\d(?:[ .,'’_]?\d){0,14}(?:\s?(?:k|thousand)\b)?/giu;
const MONEY_BEFORE = /(?:[$€£]|\b(?:usd|eur|gbp))\s?$/iu;
const MONEY_AFTER = /^\s?(?:[$€£]|dollars?\b|bucks?\b|usd\b|cents?\b)/iu;
const CENTS_AFTER = /^\s?cents?\b/iu;

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ' , ,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'.split(',');

function hundreds(n: number): string[] {
  if (n === 0) return [];
  if (n < 20) return [ONES[n] ?? ''];
  if (n < 100) return [TENS[Math.floor(n / 10)] ?? '', ...hundreds(n % 10)];
  return [ONES[Math.floor(n / 100)] ?? '', 'hundred', ...hundreds(n % 100)];
}

/** A whole number in English words without "and", as `four hundred fifty`. */
function spelled(n: number): string {
  const parts = [
    ...(n >= 1_000_000 ? [...hundreds(Math.floor(n / 1_000_000) % 1_000), 'million'] : []),
    ...(Math.floor(n / 1_000) % 1_000 > 0 ? [...hundreds(Math.floor(n / 1_000) % 1_000), 'thousand'] : []),
    ...hundreds(n % 1_000),
  ];
  return parts.join(' ');
}

/** Words as `spelled` has them: small letters, one blank between two, no "and". */
function plainWords(text: string): string {
  const words = text.toLowerCase().replace(/[^a-z]{1,9}/g, ' ');
  return ` ${words
    .split(' ')
    .filter((word) => word !== '' && word !== 'and' && word !== 'a')
    .join(' ')} `;
}

interface Found {
  /** What it can mean, in cents. */
  readonly meanings: readonly number[];
  readonly is_money: boolean;
}

function meaningsOf(match: string, cents: boolean): number[] {
  const thousand = /[a-z]/iu.test(match);
  const number = match.replace(/[^\d.,]/gu, '');
  const digits = number.replace(/[.,]/gu, '');
  // `450.00`, `450,5` and `1.200,00` end in a fraction; in `1,200` and `45 000` the sign parts the thousands.
  const [, whole = digits, fraction = ''] = /^([\d.,]{0,20})[.,](\d{1,2})$/u.exec(number) ?? [];
  const value = Number(`${whole.replace(/[.,]/gu, '')}.${fraction || '0'}`) * (thousand ? 1_000 : 1);
  const all = Number(digits) * (thousand ? 1_000 : 1);
  return cents ? [Math.round(all)] : [Math.round(value * 100), Math.round(all * 100)];
}

function numbersIn(text: string): Found[] {
  const read = text.normalize('NFKC');
  return [...read.matchAll(NUMBERS)].map((match) => {
    const [before, after] = [read.slice(0, match.index), read.slice(match.index + match[0].length)];
    const is_money = MONEY_BEFORE.test(before.slice(-6)) || MONEY_AFTER.test(after.slice(0, 10));
    return { meanings: meaningsOf(match[0], CENTS_AFTER.test(after.slice(0, 10))), is_money };
  });
}

/** Whether a text names an amount, with or without a currency, in dollars or in cents. */
export function namesAmount(text: string, cents: number): boolean {
  const found = numbersIn(text);
  if (found.some(({ meanings }) => meanings.includes(cents) || meanings.includes(cents * 100))) return true;
  const words = plainWords(text);
  const whole = Math.floor(cents / 100);
  return whole > 12 && words.includes(` ${spelled(whole)} `);
}

/** The amounts of money that a text names in digits, in cents, in their order. */
export function moneyNamed(text: string): number[] {
  return numbersIn(text)
    .filter(({ is_money }) => is_money)
    .map(({ meanings }) => meanings[0] ?? 0);
}
