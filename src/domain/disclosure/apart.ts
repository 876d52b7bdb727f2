// Puts apart what was glued or tied with signs that stand for others: "pechnikСОБАКАmailТОЧКАru", "nadia 🌀 gmail ⏺ com",
// "me@therate gmail com". Behind it an address reads as any other. Every pattern has bounded parts: linear in the text.

const AT_NAMES =
  'arroba|aroba|arobase|arobas|chiocciola|klammeraffe|affenschwanz|apenstaartje|apenstaart|apestaartje|snabela|sobaka|malpa|zavinac|kukac|kuyruklua|papaki|attherate|therate|et|at';
const DOT_NAMES = 'punkt|punto|ponto|point|punt|kropka|tecka|tochka|nokta|piste|punct|titik|dot';
/** Mail services whose names are joined to an ending. */
const SERVICES =
  'gmail|googlemail|hotmail|outlook|yahoo|ymail|protonmail|proton|icloud|gmx|aol|fastmail|zoho|tutanota|yandex|mail|rediffmail|posteo|libero|laposte|foxmail|naver|seznam|orange|ziggo|onet|telia|web|inbox|rambler|ukr|wanadoo|centrum|wp|interia|bigpond|comcast|btinternet';
/** Endings that are hardly ever the word behind two odd signs. */
const ENDINGS = 'com|net|org|de|ru|fr|it|es|pl|nl|cz|ua|uk|br|io|se|eu|ch|info|pt|tr|studio|shop|design|dev|app';

const OTHER_SCRIPTS =
  /(?<=[A-Za-z0-9])(?:собака|собачка|точка|равлик|крапка|παπάκι|παπακι|τελεια|艾特|골뱅이|アットマーク|ドット|点|點)(?=[A-Za-z0-9])/giu;
const CYRILLIC = /(?<=[а-яa-z0-9])(?:СОБАКА|СОБАЧКА|ТОЧКА|РАВЛИК|КРАПКА)(?=[а-яa-z0-9])/gu;
const CAPITALS = new RegExp(`(?<=[a-z0-9])(?:${AT_NAMES.toUpperCase()}|${DOT_NAMES.toUpperCase()})(?=[a-z0-9])`, 'g');
const SERVED = new RegExp(
  `(?<![A-Za-z])(${SERVICES})(${DOT_NAMES})(com|net|org|de|ru|fr|it|es|pl|nl|cz|ua|uk|br|in|se|tr)(?![A-Za-z])`,
  'gi',
);
const RATE =
  /@\s?(?:the\s?)?rate(?:\s?of)?(?![a-z])|(?<![a-z])at\s?the\s?rate(?:\s?of)?(?![a-z])|(?<=[a-z0-9])\(?at\s?rate\)?(?=[a-z])/gi;
/** Two odd signs, and an ending behind the second. */
const SIGNED = new RegExp(
  `(?<![A-Za-z0-9])([A-Za-z0-9._-]{2,30})\\s?([^\\w\\s.,;:!?'"()/&+|→=>‘’“”[\\]-]{1,4})\\s?([A-Za-z0-9-]{2,30})\\s?(?:[^\\w\\s,;:!?'"()/&+|→=>‘’“”[\\]-]{1,4})\\s?(${ENDINGS})(?![A-Za-z0-9])`,
  'giu',
);
/** What each pattern needs, so that prose is passed over at one look. */
const CAPITALS_WITHIN = /[a-z0-9][A-Z]{2,14}[a-z0-9]/;
const RATED = /@\s?(?:the\s?)?rate|at\s?(?:the\s?)?rate/i;
const DOTS_WITHIN = /[a-z](?:dot|punkt|punto|ponto|point|punt|kropka|tecka|tochka|nokta|piste|titik)[a-z]/i;
const STRANGE = /[^\0-\x7f]|[*~^#]/;
const ODD = new RegExp(`[^\\w\\s,;:!?'"()/&+|→=>‘’“”[\\]-]\\s?(?:${ENDINGS})(?![A-Za-z0-9])`, 'iu');

/** What a pattern costs never grows with the text: each piece is read by itself. */
const PIECE = 1000;

/** A text with the parts of addresses apart that were glued, and with the signs that odd ones stand for. */
export function drawApart(text: string): string {
  if (text.length <= PIECE) return drawPieceApart(text);
  let read = '';
  for (let from = 0; from < text.length; from += PIECE) read += drawPieceApart(text.slice(from, from + PIECE));
  return read;
}

function drawPieceApart(text: string): string {
  let read = text;
  if (CAPITALS_WITHIN.test(read)) read = read.replace(CAPITALS, ' $& ');
  if (RATED.test(read)) read = read.replace(RATE, ' attherate ');
  if (DOTS_WITHIN.test(read)) read = read.replace(SERVED, '$1 $2 $3');
  if (/[^\0-\x7f]/.test(read)) read = read.replace(CYRILLIC, ' $& ').replace(OTHER_SCRIPTS, ' $& ');
  if (!STRANGE.test(read) || !ODD.test(read)) return read;
  return read.replace(SIGNED, (all, name: string, sign: string, host: string, end: string) =>
    sign === '@' || /\p{L}|[%$€£#°]/u.test(sign) ? all : `${name}@${host}.${end}`,
  );
}
