// Detects credentials: keys of known formats, private keys, parseable tokens, and values that the text calls a password.
// Patterns have fixed beginnings and bounded ends, so that no text causes backtracking.
import { withoutEnd } from '../text/trimmed.ts';
import { words } from './finding.ts';
import { makeLegible } from './legible.ts';

/** The formats of providers' keys. */
const SHAPES: readonly RegExp[] = [
  /(?<![A-Za-z0-9])sk-(?:[a-z]{2,8}[a-z0-9]{0,6}-)?[A-Za-z0-9_-]{20,200}/,
  /(?<![A-Za-z0-9])[srp]k_(?:live|test)_[A-Za-z0-9]{10,200}/,
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,200}/,
  /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,200}/,
  /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{16,100}/,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,40}/,
  /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,200}/,
  /(?<![A-Za-z0-9])GOCSPX-[A-Za-z0-9_-]{20,40}/,
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,200}/,
  /(?<![A-Za-z0-9])xapp-\d-[A-Za-z0-9-]{10,200}/,
  /hooks\.slack\.com\/services\/[A-Z0-9]{6,20}\/[A-Z0-9]{6,20}\/[A-Za-z0-9]{10,40}/,
  /discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/[A-Za-z0-9_-]{20,100}/,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/,
  /(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![0-9a-f])/,
  /(?<![A-Za-z0-9])(?:AC|SK)[0-9a-f]{32}(?![0-9a-f])/,
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,50}/,
  /(?<![A-Za-z0-9])pypi-[A-Za-z0-9_-]{40,200}/,
  /(?<![A-Za-z0-9])(?:dop|doo|dor)_v1_[0-9a-f]{40,80}/,
  /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,64}/,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{24,60}/,
  /(?<![A-Za-z0-9])(?:rubygems_[0-9a-f]{40,60}|sq0(?:atp|csp)-[A-Za-z0-9_-]{20,50}|dckr_pat_[A-Za-z0-9_-]{20,40})/,
  /(?<![A-Za-z0-9])(?:lin_api|figd|nvapi|pat|secret|ntn|tfp|r8|gsk|xai|pplx|fw|whsec|prs)[_-][A-Za-z0-9_+/=-]{24,200}/,
  /(?<![A-Za-z0-9])mesh_(?:live|test)_[A-Za-z0-9]{20,60}/,
  /(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{30,40}/,
  /-{3,5}\s?BEGIN[A-Z ]{0,30}(?:PRIVATE\sKEY|PGP\sPRIVATE)/i,
  /(?<![A-Za-z0-9])(?:bc1[ac-hj-np-z02-9]{25,60}|0x[0-9a-fA-F]{40})(?![A-Za-z0-9])/,
  /PuTTY-User-Key-File-|AGE-SECRET-KEY-1[A-Z0-9]{20,80}/,
  /(?<![A-Za-z0-9])[xyz]prv[A-Za-z0-9]{60,120}/,
  /(?<![A-Za-z0-9])[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])/,
  /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,100}:[^\s/@]{1,200}@[^\s/]{1,253}/i,
  /(?<![a-z0-9])basic\s[A-Za-z0-9+/]{12,200}={1,2}(?![A-Za-z0-9])/i,
  /(?<![a-z0-9])bearer\s[A-Za-z0-9._~+/=-]{20,2000}/i,
];

/** A candidate for the first of a signed token's three parts. Each part of a text is checked once, from its beginning. */
const FIRST_PART = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{11,}(?=\.[A-Za-z0-9_-]{8,}\.)/g;
/** JSON in base64url. */
const JSON_HEAD = /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8}/;

function hasSignedToken(text: string): boolean {
  for (const [part] of text.matchAll(FIRST_PART)) if (JSON_HEAD.test(part)) return true;
  return false;
}

/** Names of secrets in legible text; `isPassword` checks the value after them. */
const NAMES = makeLegible(
  `p[a4@][s5$]{2}(?:w[o0]rd|phrase|code)?|p[a4@][s5$]{2} w[o0]rd|p\\.a\\.s\\.s|passwort|passwd|pazzword|kennwort|pwd|pw|mot de passe|mot 2 passe|mdp|
  contrasena|contra|clave|senha|parola|wachtwoord|haslo|heslo|losenord|sifre|mat khau|kata sandi|пароль|логин|כניסה|סיסמה|كلمة المرور|
  كلمة السر|رمز عبور|رمز|پاس ورڈ|पासवर्ड|পাসওয়ার্ড|密码|口令|提取码|パスワード|비밀번호|비번`,
).replace(/\n\s*/g, '');
const PASSWORD = new RegExp(`(?:(?<![\\p{L}\\p{N}])(?:${NAMES})|密码|提取码)(?!\\p{Script=Latin})`, 'giu');
const SECRET =
  /(?<![\p{L}\p{N}])(?:api[-_ ]?k[e3]ys?|access[-_ ]?key(?:[-_ ]?id)?|secret[-_ ]?key|secret[-_ ]?access[-_ ]?key|client[-_ ]?secret|auth[-_ ]?token|access[-_ ]?token|refresh[-_ ]?token|bearer[-_ ]?token|private[-_ ]?key|session[-_ ]?token|s[e3]cr[e3]t|token|credentials?|license[-_ ]?key|recovery[-_ ]?code|backup[-_ ]?code)(?![\p{L}\p{N}])/giu;
/** Codes for doors or payments: a name, a separator, and three to eight digits. */
const CODE =
  /(?<!\p{L})(?:pin(?:[- ]?code)?|otp|cvv2?|cvc2?|(?:2fa|verification|login|door|gate|alarm|entry|access|safe|key|lock|security)[- ]code|tan|digicode|turcode)(?!\p{L})(?:\s?(?:is|=|:|#)\s?#?(?:\d[ -]?){3,8}|\s#?(?:\d[ -]?){4})(?![\dA-Za-z%-]|[.,]\d)/iu;
const SEED =
  /(?<![a-z])(?:seed|recovery|mnemonic|secret)[- ]?(?:phrase|words|seed)?[^:=.\n]{0,30}?(?:\sis|=|:)\s?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/i;

const GIVEN =
  /^\s?(?:\([^)]{0,20}\)\s?|(?:\p{L}{1,14}\s){1,7}(?=(?:is|ist|es|est|lautet)\s|[:=]))?(:=|=>|->|=|:|：|(?:is|ist|es|est|e|jest|lautet|は|是|है)(?=\s)|は|是|(?=\s))\s{0,3}["'“‘«]?([^\s"'”’»,;]{1,120})/u;

/** Words that follow "password:" in descriptions of software, not of an account. */
const HARMLESS = words(
  `required optional reset none hashed hashing protected protection change changed changes login authentication auth
  management manager policy policies recovery security strength encrypted encryption no yes n/a na not never null
  oauth apikey apikey. bearer jwt basic saml sso free open any tbd varies unknown mandatory needed provided supported
  generated rotated stored kept set see your the a an and or to for in on by with that this it we user users always
  based rotation storage vaults vault sharing audit audits cracking recovery-free less string text field fields boolean
  upon after before via per erc-20 erc20 bep-20 bep20 erc-721 spl key keys token tokens sauce ingredient santa weapon
  simple consistency love hidden through x-mashape-key x-api-key apiKey header query redacted removed masked`,
);

const hasDigit = (text: string): boolean => /\d/.test(text);
const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

interface Given {
  readonly by: string;
  readonly value: string;
  /** The value starts a sentence: plain words follow it. */
  readonly prose: boolean;
}

function valueIn(rest: string): Given | null {
  const found = GIVEN.exec(rest);
  if (!found) return null;
  const value = withoutEnd(found[2] ?? '', '.!?)]');
  const prose = /^\s\p{Ll}+\s\p{L}+/u.test(rest.slice(found[0].length));
  return { by: (found[1] ?? '').toLowerCase(), value, prose };
}

/** Whether a value after a password's name is a password; after "is" only a value that is no ordinary word. */
function isPassword({ by, value, prose }: Given): boolean {
  if (value.length < 4 || HARMLESS.has(value.toLowerCase()) || /^[<[{$%]/.test(value)) return false;
  // "pass: 24h", "pw: 12-14": short numbers with a unit are no secret.
  if (/^\d{1,3}(?:[a-z]{0,2}|[-/]\d{1,3})$/i.test(value) || /^https?:/i.test(value)) return false;
  const odd = hasDigit(value) || /[^\p{L}\d'-]/u.test(value) || /\p{Ll}\p{Lu}/u.test(value);
  if (by === '') return value.length > 5 && hasDigit(value) && hasLetter(value);
  return /^\p{L}+$/u.test(by) || prose ? odd : odd || value.length >= 5;
}

/** Whether a value after a key's name is a key: long, and mixed as no word is. */
function isKey({ value }: Given): boolean {
  if (value.length < 10 || HARMLESS.has(value.toLowerCase()) || /^(?:https?:|[<[{$%])/i.test(value)) return false;
  return hasDigit(value) && hasLetter(value) && !/^[A-Za-z]+[-_]?\d{1,4}$/.test(value);
}

/** Characters that are checked after a name; more would be another sentence. */
const BEHIND_MAX = 130;

function isFollowedBy(text: string, name: RegExp, is: (given: Given) => boolean): boolean {
  for (const found of text.matchAll(name)) {
    const from = found.index + found[0].length;
    const given = valueIn(text.slice(from, from + BEHIND_MAX));
    if (given && is(given)) return true;
  }
  return false;
}

/** Whether the text holds a credential of software or of a person. bank.ts detects card and bank numbers. */
export function hasCredential(text: string): boolean {
  if (SHAPES.some((shape) => shape.test(text)) || hasSignedToken(text)) return true;
  if (isFollowedBy(text, PASSWORD, isPassword) || isFollowedBy(text, SECRET, isKey)) return true;
  return SEED.test(text) || CODE.test(text);
}
