// What tells by its shape alone, or by its shape and one word beside it: names on servers, accounts with their check digits,
// wallets, phrases that restore one, codes of a door. Every pattern has bounded parts, so that a look is linear in the text.
import { passesMod97 } from './bank.ts';
import type { Disclosure } from './finding.ts';

interface Shape {
  readonly kind: Disclosure;
  /** False where an administrator should look. */
  readonly sure: boolean;
  /** Without one of these in small letters the pattern is not tried, which is what makes a look cheap. */
  readonly hints: readonly string[];
  readonly pattern: RegExp;
}

const SHAPES: readonly Shape[] = [
  // "@vadim:nordbrew.org" of Matrix.
  {
    kind: 'contact',
    sure: true,
    hints: ['@'],
    pattern: /(?:^|[^\w.@])@[a-z0-9._=-]{2,40}:[a-z0-9-]{2,40}\.[a-z]{2,12}(?![\w-])/i,
  },
  // What Session and Threema give out.
  {
    kind: 'contact',
    sure: true,
    hints: ['session', 'oxen'],
    pattern: /(?:^|[^a-z])(?:session|oxen)\W{1,3}(?:id\W{1,4})?05[0-9a-f]{20,70}/i,
  },
  {
    kind: 'contact',
    sure: true,
    hints: ['threema'],
    pattern: /(?:^|[^a-z])threema[\w\s]{0,12}[-:=\s]{1,3}\*?(?=[A-Z0-9]{0,7}\d)[A-Z0-9]{8}(?![\w])/,
  },
  {
    kind: 'contact',
    sure: true,
    hints: ['jabber', 'xmpp', 'sip'],
    pattern:
      /(?:^|[^a-z])(?:jabber|xmpp|sip)(?![a-z])[\s\w:]{0,12}[\s:=][a-z0-9._-]{2,30}\s?(?:@|\(?at\)?)\s?[a-z0-9-]{2,30}(?:\.|\sdot\s)[a-z]{2,6}/i,
  },
  {
    kind: 'credential',
    sure: true,
    hints: ['bc1'],
    pattern: /(?:^|[^a-z0-9])bc1[ac-hj-np-z02-9]{20,64}(?![a-z0-9])/i,
  },
  {
    kind: 'credential',
    sure: true,
    hints: ['btc', 'bitcoin', 'usdt', 'trc', ' tron', 'wallet', 'monero', 'xmr', 'ltc', 'doge', 'кошел', '钱包'],
    pattern:
      /(?:^|[^a-z])(?:btc|bitcoin|usdt|trc-?20|tron|wallet|monero|xmr|ltc|doge|sol|кошелек|кошелёк|钱包)(?![a-z])[^\n]{0,30}?(?:^|[^A-Za-z0-9])(?=[A-Za-z]{0,20}\d)[13TLDX48][1-9A-HJ-NP-Za-km-z]{25,96}(?![A-Za-z0-9])/iu,
  },
  {
    kind: 'credential',
    sure: true,
    hints: [
      'seed',
      'recovery',
      'mnemonic',
      'secret',
      'backup',
      'wallet',
      'сид',
      'мнемо',
      'wiederherst',
      'semilla',
      'récup',
      'recup',
      '助记',
    ],
    pattern:
      /(?:^|[^\p{L}])(?:seed|recovery|mnemonic|secret|backup|wallet|сид|мнемо|wiederherstellungs|semilla|récupération|助记词)[^\n:=]{0,40}[:=–-]\s?(?:\d{0,2}[.)]?\s?\p{Ll}{3,12}[\s,]{1,2}){10,24}\p{Ll}{3,12}(?!\p{L})/u,
  },
  {
    kind: 'credential',
    sure: true,
    hints: ['key', 'k3y', 'token', 't0k', 'tok3', 'secret', 's3cr', 'pass', 'p4ss', 'p@ss', 'pa$', 'pwd'],
    pattern:
      /(?:k[e3]y|t[o0]k[e3]n|s[e3]cr[e3]t|p[a4@][s5$]{2}w?[o0]?r?d?)\s{0,2}[:=]\s{0,2}(?=[A-Za-z_-]{0,30}\d)[A-Za-z0-9_-]{16,80}(?![A-Za-z0-9])/i,
  },
  // "login admin / hunter2", "wifi FernHouse pass greenfrog".
  {
    kind: 'credential',
    sure: false,
    hints: ['login', 'log-in', 'user:', 'username', 'логин', 'usuario', 'benutzer'],
    pattern:
      /(?:^|[^\p{L}])(?:login|log-?in|user|username|логин|usuario|usuário|benutzer)\W{1,3}[\w.@-]{2,30}\s?[/|,;]\s?(?:pass\w{0,8}\W{1,3})?(?=[\w!$#-]{0,20}\d)(?=[\d!$#-]{0,20}\p{L})[\w!$#-]{5,30}(?![\w])/iu,
  },
  {
    kind: 'credential',
    sure: false,
    hints: ['wifi', 'wi-fi', 'wlan', 'ssid', 'netz', 'вайфай', 'вай-фай'],
    pattern:
      /(?:^|[^\p{L}])(?:wi-?fi|wlan|ssid|netz|вайфай|вай-фай)\W{1,3}(?:[\w-]{2,30}\W{1,3}){1,2}(?:pass|pw|pwd|password|key|kennwort|passwort|clave|mdp|пароль|senha)\W{1,3}(?:is\s)?(?!reset|recovery|manager|setup|change|cracking|printed|poster|sign|card|book|tool)[\w!$#-]{5,30}(?=$|[\s.,;])/iu,
  },
  // "gate opens with 2580".
  {
    kind: 'credential',
    sure: false,
    hints: [
      'gate',
      'door',
      'garage',
      'safe ',
      'shed ',
      'locke',
      'lockb',
      'key box',
      'keyb',
      'keyp',
      'tur ',
      'puerta',
      'porte',
      'porta',
      'cancel',
      'двер',
      'калит',
      'ворот',
      'домоф',
      'brama',
      'drzwi',
      'kapi',
      '门',
      'poort',
      'deur',
    ],
    pattern:
      /(?:^|[^\p{L}])(?:gate|door|garage|safe|shed|locker|lockbox|key\s?box|keypad|tor|tür|puerta|porte|portail|porta|cancello|portone|дверь|калитка|ворота|домофон|brama|drzwi|kapı|kapi|门|poort|deur)(?!\p{L})[^.!?\n\d]{0,30}(?:opens?|unlocks?|code|punch|press|type|enter|öffnet|mit|abre|con|s'ouvre|avec|apre|com|код|открывается|kod|密码|met)[^.!?\n\d]{0,14}(?:\d[ -]?){4,6}(?![\d%]|\s?(?:mm|cm|m|kg|eur|usd|euro|€|models?|doors?|gates?)(?!\p{L}))/iu,
  },
  // "Alarm code of the workshop, 8 8 2 0".
  {
    kind: 'credential',
    sure: false,
    hints: [' code ', ' pin ', 'combination'],
    pattern:
      /(?:^|[^\p{L}])(?:alarm|door|gate|safe|entry|access|lock|garage|shed|bike|vault|keypad|wifi|front)\s(?:code|pin|combination|number)\s(?:of|for|to|on|at|in)\s[^.!?\n\d]{2,30}[\s,:](?:\d[ -]?){4,8}(?=$|[.,;!]|\s)/iu,
  },
  // "код домофона 45к7788".
  {
    kind: 'credential',
    sure: true,
    hints: ['код', 'домофон', 'code', 'codice', 'codigo', 'kod'],
    pattern:
      /(?:^|[^\p{L}])(?:код\s(?:домофона|двери|подъезда|ворот|калитки)|домофон|digicode|code\s(?:porte|portail|immeuble)|türcode|torcode|door\scode|gate\scode|codice\s(?:porta|cancello|portone)|código\s(?:da\sporta|puerta|portal)|kod\sdo\s\p{L}{3,10})\W{1,4}(?:is\s|est\s|ist\s)?(?:[#*]?\d[#*]?){0,5}(?:[a-zа-я](?:[#*]?\d){2,6}|\d{3,6}[#*a-zа-я])(?![\p{L}\d])/iu,
  },
  // "Call (400+15) (500+55)".
  {
    kind: 'phone',
    sure: false,
    hints: ['+', '*', '×', ' x ', 'plus', 'minus'],
    pattern:
      /(?:^|[^\p{L}])(?:call|number|digits|dial|ring|phone|tel|text|nummer|número|numero|телефон)(?!\p{L})[^.!?\n]{0,24}?(?:\(?\d{1,4}\s?(?:[+*x×−-]|plus|minus|times)\s?\d{1,4}\)?[\s,;]{1,3}(?:then\s|and\s)?){2}/iu,
  },
  // "15 кв 8": a house and a flat in it.
  {
    kind: 'street_address',
    sure: true,
    hints: ['кв', 'daire', 'lokal', 'lok.', ' m. ', 'miesz', ' apt', 'flat', 'appt', 'interno', 'lgh', 'lejl'],
    pattern:
      /(?:^|[^\d.,])\d{1,4}\s?[а-яa-z]?[\s,/.]{1,3}(?:кв|квартира|daire|lok|lokal|m\.|mieszk|mieszkanie|apto|apt|flat|appt|interno|lgh|lejl)\.?\s?(?:no|nr|№)?\.?:?\s?\d{1,4}(?!\d|[.,]\d|\s?(?:м|m|qm|кв)(?!\p{L}))/iu,
  },
  // "北沢2-12-3".
  {
    kind: 'street_address',
    sure: true,
    hints: ['都', '道', '府', '県'],
    pattern:
      /[都道府県][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,14}[0-9]{1,4}(?:[-−ー‐][0-9]{1,3}){1,3}(?![0-9])/u,
  },
  {
    kind: 'street_address',
    sure: true,
    hints: ['路', '街', '巷', '弄', '道', '村', '小区', '花园', '公寓'],
    pattern: /(?:路|街|巷|弄|道|村|小区|花园|公寓)[0-9]{1,5}号?[^\s，。]{0,8}?[0-9]{1,4}(?:室|单元|号楼|栋|楼)/u,
  },
];

/** A page's sign, then what a person does with it: a code in a picture that leads into a chat. */
const SCANNED =
  /(?:^|[^\p{L}])(?:scan\w{0,4}|scanne\w{0,3}|escanea|scannez|отсканируйте|сканируй\w{0,4}|okut\w{0,3}|zeskanuj|scansiona\w{0,3}|scan\sde|qr[\s-]?code|qr)(?!\p{L})[^.!?\n]{0,60}?(?:^|[^\p{L}])(?:my|me|mein\w{0,2}|mon|mi|mio|mój|private|chat|photo|picture|avatar|contact|inbox|reach|number|мой|моем|фото|чат|плакат|wechat|whatsapp|telegram)(?!\p{L})[^.!?\n]{0,40}?(?:^|[^\p{L}])(?:chat|wechat|whatsapp|telegram|line|talk|reach|contact|add|number|outside|inbox|чат|свяж\w{0,8}|писать)(?!\p{L})/iu;

const SCANS = ['scan', 'qr', 'скан', 'okut'];
/** Nothing with fewer in a row of signs is an account's number or a phone's. */
const DIGITS = /\d[^a-z]{0,3}\d/;
const ACCOUNT_BEGINS = /[A-Z]{2}[\W_]{0,2}\d\d[\W_]{0,2}[A-Z0-9]/;
const LOOKS_BEGIN = /[0-9][oilszbegtaq]|[oilszbegtaq][0-9]/i;

const IBAN = /(?:^|[^A-Za-z0-9])[A-Z]{2}[\W_]{0,2}\d{2}(?:[\W_]{0,2}[A-Z0-9]){11,30}(?![A-Za-z0-9])/g;
const IBAN_MIN = 15;
const IBAN_MAX = 34;

function holdsAccount(text: string): boolean {
  for (const [whole] of text.matchAll(IBAN)) {
    const account = whole.replace(/[^A-Z0-9]/g, '');
    if (account.length < IBAN_MIN || account.length > IBAN_MAX) continue;
    const called = /iban|konto|conto|bonifico|compte|cuenta|conta|account|transfer|rekening|überw|zahl|pay/i.test(text);
    if (passesMod97(account) || (called && /\d{8}/.test(account.replace(/[A-Z]/g, '')))) return true;
  }
  return false;
}

/** Looks that are three, three and four, of digits and of letters that look like some. */
const LOOKS =
  /(?:^|[^A-Za-z0-9-])[([]?([0-9OILSZEBGTAQ]{3})[)\]]?[\s._/-]{1,3}([0-9OILSZEBGTAQ]{3})[\s._/-]{1,3}([0-9OILSZEBGTAQ]{4})(?![A-Za-z0-9-])/gi;
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  I: '1',
  L: '1',
  Z: '2',
  E: '3',
  A: '4',
  S: '5',
  G: '6',
  T: '7',
  B: '8',
};
const LOOK_DIGITS_MIN = 4;

function holdsLooks(text: string): boolean {
  for (const [, ...parts] of text.matchAll(LOOKS)) {
    const shown = parts.join('').toUpperCase();
    const digits = shown.replace(/\D/g, '').length;
    if (digits < LOOK_DIGITS_MIN || digits === shown.length || parts.some((part) => !/\d/.test(part ?? ''))) continue;
    const read = shown.replace(/[A-Z]/g, (sign) => LOOKS_LIKE[sign] ?? sign);
    if (/^[2-9]\d\d[2-9]/.test(read)) return true;
  }
  return false;
}

export interface Shaped {
  readonly kind: Disclosure;
  readonly sure: boolean;
}

/** What the shapes in a text tell, which was made readable. */
export function shapesIn(text: string): Shaped[] {
  const low = text.toLowerCase();
  const found: Shaped[] = SHAPES.filter(
    ({ hints, pattern }) => hints.some((hint) => low.includes(hint)) && pattern.test(text),
  ).map(({ kind, sure }) => ({ kind, sure }));
  if (DIGITS.test(text)) {
    if (ACCOUNT_BEGINS.test(text) && holdsAccount(text)) found.push({ kind: 'credential', sure: true });
    if (LOOKS_BEGIN.test(text) && holdsLooks(text)) found.push({ kind: 'phone', sure: true });
  }
  if (SCANS.some((hint) => low.includes(hint)) && SCANNED.test(text)) found.push({ kind: 'contact', sure: false });
  return found;
}
