// Removes amounts of money from texts of the platform's agent: it names none, also in quotes. Words are checked one by one, so that
// the cost is linear in the text.

const SIGN = /\p{Sc}/u;
const DIGIT = /\d/;

const CURRENCIES: ReadonlySet<string> = new Set([
  ...['usd', 'eur', 'gbp', 'chf', 'jpy', 'dollar', 'dollars', 'buck', 'bucks', 'euro', 'euros'],
  ...['pound', 'pounds', 'cent', 'cents', 'franc', 'francs', 'yen', 'usdc', 'btc', 'eth'],
]);

/** Replaces an amount. */
const AN_AMOUNT = 'an amount';

/** Whether a word names a currency: by its sign, or by a name within it (`price_cents`, `5USD`). */
function isCurrency(word: string): boolean {
  if (SIGN.test(word)) return true;
  return word
    .toLowerCase()
    .split(/[^a-z]/)
    .some((name) => CURRENCIES.has(name));
}

/** How many words from here on form an amount: one (`$5`, `5usd`), two (`5 dollars`, `USD 5`), or none. */
function amountWords(word: string, next = ''): 0 | 1 | 2 {
  const [figure, currency] = [DIGIT.test(word), isCurrency(word)];
  if (figure === currency) return figure ? 1 : 0;
  return DIGIT.test(next) === currency && isCurrency(next) === figure ? 2 : 0;
}

export function namesAmount(text: string): boolean {
  const words = text.split(/\s/).filter((word) => word !== '');
  return words.some((word, at) => amountWords(word, words[at + 1]) > 0);
}

/** Replaces each amount by `an amount`, and removes currency signs. Line breaks stay, other whitespace is collapsed. */
export function withoutAmounts(text: string): string {
  return text.split('\n').map(lineWithout).join('\n');
}

function lineWithout(line: string): string {
  const words = line.split(/\s/).filter((word) => word !== '');
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const taken = amountWords(word, words[at + 1]);
    if (taken > 0) kept.push(AN_AMOUNT);
    else kept.push(word.replace(/\p{Sc}/gu, ''));
    if (taken === 2) at += 1;
  }
  return kept.filter((word) => word !== '').join(' ');
}
