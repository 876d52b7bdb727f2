// Text as words, numbers and signs. Every detector walks these with a bounded look around each, so that the time is linear
// in the text whatever the text is.

/** `lower` is what is compared; `spaced` says that white space stands before it, `capital` that it begins with one. */
export interface Token {
  readonly kind: 'word' | 'number' | 'sign';
  readonly lower: string;
  readonly spaced: boolean;
  readonly capital: boolean;
}

/** Letters that people write for digits, where digits stand beside them and nothing else does. */
const AS_DIGITS = /(?<![\p{L}\p{N}])(?=[oOlI]{0,4}[0-9])[0-9oOlI]{3,12}(?![\p{L}\p{N}])/gu;

const digitsFor = (look: string): string => look.replace(/[oO]/g, '0').replace(/[lI]/g, '1');

const LETTER = /\p{L}/u;
const SPACE = /\s/;

type Class = 'word' | 'number' | 'sign' | 'space';

function classAt(text: string, at: number): Class {
  const code = text.charCodeAt(at);
  if (code < 128) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return 'word';
    if (code >= 48 && code <= 57) return 'number';
    return code === 32 || (code >= 9 && code <= 13) ? 'space' : 'sign';
  }
  const sign = text.charAt(at);
  // Half of a pair is a letter of a rare script or a picture: neither begins anything that is looked for.
  return LETTER.test(sign) ? 'word' : SPACE.test(sign) ? 'space' : 'sign';
}

/** Reads text that was made legible. */
export function tokensOf(legible: string): Token[] {
  const text = legible.replace(AS_DIGITS, digitsFor);
  const tokens: Token[] = [];
  let spaced = true;
  for (let at = 0; at < text.length; ) {
    const kind = classAt(text, at);
    let end = at + 1;
    if (kind === 'space') {
      spaced = true;
      at = end;
      continue;
    }
    if (kind !== 'sign') while (end < text.length && classAt(text, end) === kind) end += 1;
    const whole = text.slice(at, end);
    const lower = kind === 'word' ? whole.toLowerCase() : whole;
    tokens.push({ kind, lower, spaced, capital: kind === 'word' && lower.charCodeAt(0) !== whole.charCodeAt(0) });
    spaced = false;
    at = end;
  }
  return tokens;
}

export function words(line: string): ReadonlySet<string> {
  return new Set(line.split(/\s+/).filter(Boolean));
}
