// What a text says when it is read another way: from behind, or decoded. Only the parts that look written so are read again.
const TOPS = 'moc|ten|gro|vog|ude|ofni|ku|ed|rf|ti|se|ur|lp|ln|rb|ni|oi|em|oc|ue|hc|ta|au|rt|di|nv|pj|nc|rk';
/** A domain and a name from behind. */
const BEHIND = new RegExp(`^[^w]{0,3}(?:${TOPS})[.˙]`, 'i');
const BEHIND_SPELLED = new RegExp(
  `(?<!\\p{L})(?:${TOPS})\\s?(?:tod|tknup|otnup|otnop|tniop|akpork)\\s?\\p{L}{2,30}\\s?(?:ta|aborra|esabora|eff[a-z]{2,12})\\s`,
  'iu',
);
const DOT_BEHIND = /tod|tknup|otnup|otnop|tniop|akpork/i;
/** Digits stand in every text that was turned into numbers. */
const NUMBERS = /\d{2}[ ,.;:\\-]|[0-9a-f]{16}|[01]{8}/i;
const BASE64 = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{14,400}={0,2}(?![A-Za-z0-9+/_-])/g;
const HEX =
  /(?<![0-9a-f])(?:[0-9a-f]{2}[ ,:]){8,120}[0-9a-f]{2}(?![0-9a-f])|(?<![0-9a-f])(?:[0-9a-f]{2}){10,120}(?![0-9a-f])/gi;
const CODES = /(?<!\d)(?:(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])[ ,.;-]{1,2}){8,120}\d{2,3}(?!\d)/g;
const BITS = /(?<![01])(?:[01]{8}\s?){8,120}/g;
const MORSE = /(?:[.\-–—·•−]{1,7}[ /|]{1,3}){6,200}[.\-–—·•−]{1,7}/g;
const ROT13 = /rot-?\s?13|caesar|cäsar|шифр/i;

const MORSE_SIGNS = new Map(
  `.-a -...b -.-.c -..d .e ..-.f --.g ....h ..i .---j -.-k .-..l --m -.n ---o .--.p --.-q .-.r ...s -t ..-u ...-v .--w -..-x -.--y --..z
  -----0 .----1 ..---2 ...--3 ....-4 .....5 -....6 --...7 ---..8 ----.9 .--.-.@ ..--.-_`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)])
    .concat([
      ['.-.-.-', '.'],
      ['-....-', '-'],
    ]),
);

/** Printed signs only: what was no code decodes to anything. */
const PRINTED = /^[\x20-\x7e\n]{6,}$/;

function fromBase64(coded: string): string {
  try {
    return atob(coded.replace(/-/g, '+').replace(/_/g, '/').replaceAll('=', ''));
  } catch {
    return '';
  }
}

const charsOf = (codes: readonly string[], base: number): string =>
  codes.map((code) => String.fromCharCode(Number.parseInt(code, base))).join('');

const fromMorse = (coded: string): string =>
  coded
    .replace(/[–—−]/g, '-')
    .replace(/[·•]/g, '.')
    .split(/[\s/|]+/)
    .map((sign) => MORSE_SIGNS.get(sign) ?? '')
    .join('');

const rotate = (text: string): string =>
  text.replace(/[a-z]/gi, (sign) => {
    const first = sign <= 'Z' ? 65 : 97;
    return String.fromCharCode(((sign.charCodeAt(0) - first + 13) % 26) + first);
  });

/** Letters that stand on their heads. */
const FLIPPED: Readonly<Record<string, string>> = {
  ɐ: 'a',
  ǝ: 'e',
  ɟ: 'f',
  ƃ: 'g',
  ɥ: 'h',
  ᴉ: 'i',
  ı: 'i',
  ɾ: 'j',
  ʞ: 'k',
  ɯ: 'm',
  ɹ: 'r',
  ʇ: 't',
  ʌ: 'v',
  ʍ: 'w',
  ʎ: 'y',
  '˙': '.',
  u: 'n',
  n: 'u',
  q: 'b',
  b: 'q',
  p: 'd',
  d: 'p',
};

const reverse = (text: string): string => [...text].reverse().join('');

/** The texts that stand behind one that was turned round or encoded; few, and none for ordinary prose. */
export function undisguise(text: string, isTold: boolean): string[] {
  const read: string[] = [];
  if (text.includes('@')) {
    for (const word of text.split(/\s/)) if (word.includes('@') && BEHIND.test(word)) read.push(reverse(word));
  }
  if (isTold || (DOT_BEHIND.test(text) && BEHIND_SPELLED.test(text))) {
    read.push(reverse(text));
  }
  if (/[ɐǝɟɥɯɹʇʌʍʎƃ]/.test(text)) read.push(reverse(text.replace(/./gu, (sign) => FLIPPED[sign] ?? sign)));
  for (const [coded] of text.matchAll(BASE64))
    if (/[A-Z]/.test(coded) && /[a-z]/.test(coded)) read.push(fromBase64(coded));
  if (NUMBERS.test(text)) {
    for (const [coded] of text.replaceAll('0x', '').matchAll(HEX))
      read.push(charsOf(coded.match(/[0-9a-f]{2}/gi) ?? [], 16));
    for (const [coded] of text.matchAll(CODES)) read.push(charsOf(coded.match(/\d+/g) ?? [], 10));
    for (const [coded] of text.matchAll(BITS)) read.push(charsOf(coded.match(/[01]{8}/g) ?? [], 2));
  }
  for (const [coded] of text.matchAll(MORSE)) read.push(fromMorse(coded));
  if (ROT13.test(text)) read.push(rotate(text));
  return read.filter((one, at) => PRINTED.test(one) || at === 0);
}
