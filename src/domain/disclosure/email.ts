// Email addresses in legible text: written plainly, with spaces around their signs, or with the signs as words ("john at
// example dot com"). The name of a site alone is no address, and "read more at example.com" names a site.
import { legibleWords } from './legible.ts';
import { type Token, words } from './tokens.ts';

/** Top-level domains by which a spaced or spoken name is known to be a domain; a plainly written one needs none. */
const TOP = words(
  `com net org edu gov mil int info biz name pro io co me dev app ai xyz online site tech store shop cloud email live
  club work works agency studio design media digital team solutions consulting blog page link zone world today news
  tv fm gg so to cc ly sh im ac ad ae af ag al am ar at au az ba bd be bg bh bo br by bz ca ch ci cl cm cn cr cu cy cz de
  dk do dz ec ee eg es et eu fi fr ge gh gi gr gt hk hn hr hu id ie il in iq ir is it jm jo jp ke kg kh kr kw kz la lb li
  lk lt lu lv ma mc md mg mk mn mo mt mu mv mx my mz na ng ni nl no np nz om pa pe pg ph pk pl pt py qa ro rs ru rw sa
  sd se sg si sk sl sn st su sv sy th tj tn tr tt tw tz ua ug uk us uy uz va ve vn ws ye za zm zw`,
);
/** Where people have mailboxes: such a name behind "at" is never just a site. */
const MAIL_HOSTS = words(
  `gmail googlemail hotmail outlook yahoo ymail protonmail proton icloud gmx aol fastmail zoho tutanota tuta yandex qq
  web mail msn libero orange wanadoo hey posteo mailbox rediffmail naver hushmail live`,
);
/** Of those, the ones that stand for a mailbox even without a top-level domain, and are nobody's employer. */
const MAIL_NAMES = words('gmail googlemail hotmail protonmail gmx ymail icloud');
const AT_WORDS = words('at arroba arobase chiocciola klammeraffe sobaka malpa zavinac kukac snabela atsign');
const DOT_WORDS = legibleWords('точка dot punkt punto point ponto period tochka piste dott');
/** Words before "at" that make it the ordinary word. */
const NOT_NAMES = words(
  `available hosted found us me you it them him her here there live visit more see look looking work works worked working
  is are be was started starts start based located meet meeting sold priced engineer engineers developer designer manager
  lead leads team teams staff people intern once and or only arrive arrives sign register apply shop buy down aimed book
  now listed featured page site website details docs documentation online products demo published seen good great best`,
);
/** Top-level domains that are words of English sentences: behind "at any point" they mean none. */
const COMMON_TOPS = words('in to it is be me us so at no do my am as by go ai');
const ROLES = words(
  'info contact hello sales support admin hi office mail jobs careers press billing team help enquiries',
);
const ASKS = words('email e mail mails write reach contact ping drop mailto message address adresse correo courriel');

const PART_MAX = 30;

const isName = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind !== 'sign' || '._%+-'.includes(token.lower));
const isWordy = (token: Token | undefined): boolean => token !== undefined && token.kind !== 'sign';

interface Step {
  /** The token after what was read. */
  readonly end: number;
  /** The separator was spelled out or put into brackets, as nobody writes but to hide it. */
  readonly hidden: boolean;
}

const OPENS = '([{<_-/|"\'';
const CLOSES = ')]}>_-/|"\'';

/** A spelled or bracketed separator at a place: `dot`, `(dot)`, `[.]`, `.`. */
function separator(tokens: readonly Token[], from: number, sign: string, spelled: ReadonlySet<string>): Step | null {
  let at = from;
  let opened = 0;
  while (opened < 2 && tokens[at]?.kind === 'sign' && OPENS.includes(tokens[at]?.lower ?? ' ')) {
    at += 1;
    opened += 1;
  }
  const token = tokens[at];
  if (!token) return null;
  const spoken = spelled.has(token.lower) || (opened > 0 && sign === '@' && token.lower === 'a');
  if (!spoken && token.lower !== sign) return null;
  at += 1;
  if (sign === '@' && spoken && tokens[at]?.lower === '-' && tokens[at + 1]?.lower === 'sign') at += 2;
  if (sign === '@' && spoken && ['sign', 'symbol'].includes(tokens[at]?.lower ?? '')) at += 1;
  const closes = opened > 0;
  for (let left = opened; left > 0 && CLOSES.includes(tokens[at]?.lower ?? ' '); left--) at += 1;
  // A bracket that only opens is a bracket of the sentence: "(at example.com)".
  if (closes && !CLOSES.includes(tokens[at - 1]?.lower ?? ' ')) return null;
  return { end: at, hidden: spoken || closes };
}

interface Domain {
  readonly first: string;
  readonly last: string;
  readonly labels: number;
  readonly hidden: boolean;
  readonly spaced: boolean;
}

/** The dotted name at a place: labels of words and digits, joined by dots of any spelling. */
function domainAt(tokens: readonly Token[], from: number): Domain | null {
  let at = from;
  const labels: string[] = [];
  let hidden = false;
  let spaced = false;
  for (let n = 0; n < PART_MAX; n++) {
    let label = '';
    const begin = at;
    while (at - begin < PART_MAX) {
      const token = tokens[at];
      const joins = isWordy(token) || token?.lower === '-';
      if (!token || !joins || (at > begin && token.spaced)) break;
      if (token.lower === '-' && separator(tokens, at, '.', DOT_WORDS)) break;
      label += token.lower;
      at += 1;
    }
    if (label === '') break;
    if (begin > from && tokens[begin]?.spaced) spaced = true;
    labels.push(label);
    const dot = separator(tokens, at, '.', DOT_WORDS);
    if (!dot) break;
    if (['point', 'period'].includes(tokens[at]?.lower ?? '') && COMMON_TOPS.has(tokens[dot.end]?.lower ?? '')) break;
    // A full stop with a space behind it ends a sentence, unless a space stands before it too.
    const next = tokens[dot.end];
    if (!dot.hidden && next?.spaced && tokens[at]?.spaced === false && !TOP.has(next.lower)) break;
    hidden ||= dot.hidden;
    at = dot.end;
  }
  const [first = '', last = ''] = [labels[0], labels.at(-1)];
  return labels.length > 0 ? { first, last, labels: labels.length, hidden, spaced } : null;
}

const isTop = (last: string): boolean => /^\p{L}{2,24}$/u.test(last) || last.startsWith('xn--');

/** A written @: what stands before it is a name, what follows a domain. */
function isWrittenAt(tokens: readonly Token[], at: number): boolean {
  const [before, sign, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!isWordy(before) && !(before && '_+%'.includes(before.lower))) return false;
  const domain = domainAt(tokens, at + 1);
  if (!domain) return after?.lower === '[' && tokens[at + 2]?.kind === 'number';
  const tight = sign?.spaced === false && after?.spaced === false;
  // An address of a repository, as in git@host:owner/name, reaches nobody.
  if (tight && before?.lower === 'git' && domain.labels === 2) return false;
  if (domain.labels < 2) return MAIL_NAMES.has(domain.first);
  if (tight && !domain.spaced) return isTop(domain.last) || /^\d{1,3}$/.test(domain.last) === (domain.labels === 4);
  // "Follow us @acme.io" names an account.
  return TOP.has(domain.last) && (after?.spaced === true || !NOT_NAMES.has(before?.lower ?? ''));
}

/** Whether one of the few words before a place asks the reader to write. */
function asksToWrite(tokens: readonly Token[], at: number): boolean {
  for (let back = 1; back <= 6; back++) if (ASKS.has(tokens[at - back]?.lower ?? '')) return true;
  return false;
}

/** A spelled "at", which is mostly just the word: the rest must tell that an address is meant. */
function isSpelledAt(tokens: readonly Token[], at: number, step: Step, bracketed: boolean): boolean {
  const before = tokens[at - 1];
  if (!before || !isWordy(before)) return false;
  const domain = domainAt(tokens, step.end);
  if (!domain) return false;
  const ordinary = NOT_NAMES.has(before.lower);
  if (domain.labels < 2) return !ordinary && MAIL_NAMES.has(domain.first);
  if (!TOP.has(domain.last) && !(bracketed && isTop(domain.last))) return false;
  if (bracketed || domain.hidden) return !ordinary || bracketed;
  if (ordinary) return false;
  const joined = tokens[at - 2];
  const compound =
    before.spaced === false && joined !== undefined && (joined.kind !== 'sign' || '._+'.includes(joined.lower));
  if (compound || before.kind === 'number' || (MAIL_HOSTS.has(domain.first) && domain.labels === 2)) return true;
  return asksToWrite(tokens, at) && (domain.spaced || ROLES.has(before.lower) || !TOP.has(before.lower));
}

/** Whether the text holds an email address. */
export function hasEmail(tokens: readonly Token[]): boolean {
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token || !isName(tokens[at - 1])) continue;
    if (token.lower === '@') {
      if (isWrittenAt(tokens, at)) return true;
      continue;
    }
    if (token.kind === 'sign' && !OPENS.includes(token.lower)) continue;
    if (token.kind === 'word' && !AT_WORDS.has(token.lower)) continue;
    const step = separator(tokens, at, '@', AT_WORDS);
    if (step && isSpelledAt(tokens, at, step, token.kind === 'sign')) return true;
  }
  return false;
}
