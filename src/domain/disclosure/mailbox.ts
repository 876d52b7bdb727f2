// Detects email addresses: in the usual form, and by evidence: a sign or a word for @, a mail service, a spelled dot, a
// top-level domain, words that ask the reader to write. One of these proves little; several together do.

import { endsSentence, type Finding, findingOf, hasMeaning, isNear, SURE, words } from './finding.ts';
import { AT, AT_VAGUE, CONTACT, DOT, DOT_VAGUE, MAIL, MAIL_CUE, MAIL_VAGUE, TOP, TOP_COMMON } from './lexicon.ts';
import type { Sign } from './reading.ts';

/** Labels that a domain has at most, and words that may stand for one of them. */
const LABELS_MAX = 5;
const LABEL_WORDS_MAX = 4;
const NARROW_GAP = 8;

interface Domain {
  readonly end: number;
  /** 2: a mail service's name, 1: one that is also a word. */
  readonly provider: 0 | 1 | 2;
  readonly labels: number;
  /** Dots that were spelled as words. */
  readonly spoken: number;
  readonly tight: boolean;
  readonly top: boolean;
  readonly common: boolean;
}

/** Signs that people put around a spelled sign. */
const BRACKETS = /[([{<«|*~/\\_=>\])}»-]/;

const isDot = (sign: Sign | undefined): boolean => sign?.kind === 'dot' || hasMeaning(sign, DOT | DOT_VAGUE);

/** The end of the label at a position: words joined by a hyphen or by nothing. */
function labelEnd(signs: readonly Sign[], from: number): number {
  let end = from + 1;
  for (let size = 1; size < LABEL_WORDS_MAX * 2; size++) {
    const next = signs[end];
    const joined = next && next.field === signs[from]?.field && (next.kind === 'word' || next.kind === 'number');
    if (!joined || !(next.gap === '' || next.gap === '-' || next.gap === '_') || isDot(next)) break;
    end += 1;
  }
  return end;
}

type Draft = { -readonly [K in keyof Domain]: Domain[K] };

/** Reads one label into the draft; answers its end, or null where the domain has ended. */
function readLabel(signs: readonly Sign[], at: number, domain: Draft): number | null {
  const [label, before] = [signs[at], signs[at - 1]];
  if (!label || (label.kind !== 'word' && label.kind !== 'number') || label.gap.length > NARROW_GAP) return null;
  const first = domain.labels === 0;
  if (!first && label.gap !== '') domain.tight = false;
  if (!first && label.field !== before?.field && before?.kind !== 'dot' && !hasMeaning(before, DOT)) return null;
  const next = labelEnd(signs, at);
  if (first || domain.provider === 0)
    domain.provider = hasMeaning(label, MAIL) ? 2 : hasMeaning(label, MAIL_VAGUE) ? 1 : domain.provider;
  domain.labels += 1;
  if (!first && hasMeaning(signs[next - 1], TOP) && next - at === 1) {
    domain.top = true;
    domain.common = hasMeaning(signs[next - 1], TOP_COMMON) && label.gap !== '';
    domain.end = next;
  }
  if (first && domain.provider > 0) domain.end = next;
  return next;
}

/** The start of the label after a dot, or null where the dot is not part of a domain. */
function readDot(signs: readonly Sign[], at: number, domain: Draft): number | null {
  const [dot, behind] = [signs[at], signs[at + 1]];
  if (!isDot(dot) || !dot || dot.gap.includes(',') || dot.gap.length > NARROW_GAP) return null;
  // "Dot by dot".
  if (behind?.text === 'by' && dot.kind === 'word' && signs[at + 2]?.text === dot.text) return null;
  // A dot with a space after it and none before is a full stop.
  if (dot.kind === 'dot' && behind !== undefined && behind.gap !== '' && dot.gap === '') return null;
  if (dot.kind !== 'dot') domain.spoken += hasMeaning(dot, DOT) ? 1 : 0.5;
  return at + 1;
}

/** The domain at a position, in any spelling of its dots; null without a valid ending. */
function domainAt(signs: readonly Sign[], from: number): Domain | null {
  const domain: Draft = { end: -1, provider: 0, labels: 0, spoken: 0, tight: true, top: false, common: false };
  for (let at: number | null = from; at !== null && domain.labels < LABELS_MAX; ) {
    const next = readLabel(signs, at, domain);
    if (next === null) break;
    const dot = signs[next];
    // "gmail com".
    if (
      domain.provider > 0 &&
      domain.labels === 1 &&
      dot &&
      hasMeaning(dot, TOP) &&
      !isDot(dot) &&
      dot.gap.length <= 2
    ) {
      return { ...domain, end: next + 1, labels: 2, tight: false, top: true };
    }
    at = readDot(signs, next, domain);
  }
  if (domain.end < 0) return null;
  return domain.top ? domain : { ...domain, spoken: 0 };
}

const GLUED_AT = '(?:atthe?rate|at|arroba|arobase|klammeraffe|chiocciola|malpa|sobaka|snabela|kukac|et|aet)';
const GLUED_DOT = '(?:dot|punkt|punto|ponto|point|kropka|tochka|nokta|piste|titik|cham)';
const SERVICES =
  'gmail|googlemail|hotmail|outlook|yahoo|ymail|protonmail|proton|icloud|gmx|aol|fastmail|zoho|tutanota|yandex|mail|rediffmail|posteo|libero|laposte|foxmail|naver|seznam|orange';
const ENDINGS =
  '(?:com|net|org|de|it|ru|fr|es|pl|nl|couk|cojp|cojin|combr|comau|comtr|pt|in|io|me|co|eu|ch|at|se|info|ua|uk)';
const SERVED = new RegExp(
  `^[a-z0-9]{2,60}?${GLUED_AT}?(?:${SERVICES})${GLUED_DOT}${ENDINGS}$|^[a-z0-9]{2,60}?${GLUED_AT}(?:gmail|googlemail|hotmail|yahoo|outlook|icloud|protonmail|ymail|gmx)(?:com|net|de|org|ru|fr|it|es)?$|^[a-z]{3,60}(?:gmail|hotmail|yahoo|outlook|icloud)com$`,
);
const CASED =
  /^[a-z0-9]{2,40}(?:AT|At|ARROBA|ET|CHIOCCIOLA|AROBASE|SOBAKA|MALPA)[A-Za-z0-9]{2,40}(?:DOT|Dot|PUNTO|PUNKT|PONTO|POINT|NOKTA|KROPKA|TOCHKA)[A-Za-z]{2,8}$/;
/** The shortest glued address. */
const GLUED_MIN = 9;
const GLUED_MAX = 100;

/** Whether a word is an address without signs: "johnATgmailDOTcom". `raw` has its letter case. */
function isGlued(raw: string): boolean {
  if (raw.length < GLUED_MIN || raw.length > GLUED_MAX) return false;
  const low = raw.toLowerCase();
  return SERVED.test(low) || CASED.test(raw);
}

/** An address in its usual form, except of a repository, such as git@host:owner/name. */
const PLAIN =
  /(?<![\p{L}\d._%+-])(?!git@)[\p{L}\d._%+-]{1,64}@(?:\[\d|(?:[\p{L}\d-]{1,63}\.){1,6}(?:\p{L}{2,24}|xn--[a-z\d-]{2,30})(?![\p{L}\d])|\d{1,3}(?:\.\d{1,3}){3}(?!\d))/u;

/** Whether a legible text holds an address in its usual form. */
export const hasEmail = (text: string): boolean => text.includes('@') && PLAIN.test(text);

/** Words before "at" that make it the ordinary word. */
const NOT_NAMES = words(
  `available hosted found us me you it them him her here there live visit more see look looking work works worked working
  is are be was were started starts start based located meet meeting sold priced engineer engineers developer designer manager
  lead leads team teams staff people intern once and or only arrive arrives sign register apply shop buy down aimed book
  now listed featured page website details docs documentation online products demo published seen good great best job jobs
  point experience trained trainer consultant founder director product architect partner shopping customers audits migration`,
);

/** Words that are not the name of a site. */
const NO_LABELS = words(
  'the polka die der das la le el il any this that each every some a an no one our your my their which point',
);

const worth = ({ provider }: Domain): number => (provider === 2 ? 2.5 : provider === 1 ? 1.5 : 0);

/** The evidence of a domain's ending; a spelled one suggests hiding. */
function endingWorth({ top, spoken, common, provider }: Domain): number {
  if (!top) return 0;
  return (spoken >= 1 ? 3 : spoken > 0 ? 1.5 : 1) - (common && provider === 0 ? 1.5 : 0);
}

const askEvidence = (signs: readonly Sign[], at: number): number =>
  isNear(signs, at, 12, 10, MAIL_CUE) ? 1.5 : isNear(signs, at, 12, 10, CONTACT) ? 1 : 0;

/** The evidence of the word before an @: a name with digits or dots is no ordinary word. */
function nameWorth(signs: readonly Sign[], at: number): number {
  const [sign, before] = [signs[at - 1], signs[at]];
  if (!sign || !before) return 0;
  if (sign.kind === 'number' && signs[at - 2]?.kind === 'word' && sign.gap === '') return 1.5;
  const joined = signs[at - 2];
  const tied = sign.gap === '' ? joined?.kind === 'dot' || joined?.kind === 'number' : /^[_-]$/.test(sign.gap);
  const spoken = hasMeaning(joined, DOT) && sign.field === joined?.field;
  if (sign.kind === 'word' && (tied || spoken)) return 1.5;
  return sign.kind === 'word' && NOT_NAMES.has(sign.text) && sign.field === before.field ? -2 : 0;
}

/** The evidence of a written @. */
function signAt(signs: readonly Sign[], at: number): number {
  const [before, sign, after] = [signs[at - 1], signs[at], signs[at + 1]];
  if (!sign) return 0;
  const name =
    before !== undefined &&
    (before.kind === 'word' || before.kind === 'number') &&
    sign.gap.length <= 6 &&
    before.field === sign.field;
  const tight = name && sign.gap === '';
  const dangling = !after || after.field !== sign.field;
  if (dangling && tight && (before?.text.length ?? 0) > 1) return before?.kind === 'word' ? SURE : 3;
  if (after?.drawn) return SURE;
  const domain = domainAt(signs, at + 1);
  if (!domain) return 0;
  if (!domain.top) return (name ? 1.5 : 0) + worth(domain) + askEvidence(signs, at);
  if (domain.provider === 2) return SURE;
  if (name && domain.labels > 1 && before?.text !== 'git' && !NOT_NAMES.has(before?.text ?? '')) return SURE;
  if (tight && domain.tight) return before?.text === 'git' ? 0 : SURE;
  if (before?.field === sign.field - 1 && domain.tight && nameWorth(signs, at) > 0) return SURE;
  const follows = !name && !sign.drawn;
  return (
    (follows ? 0 : 2) + worth(domain) + endingWorth(domain) + askEvidence(signs, at) + (name ? nameWorth(signs, at) : 0)
  );
}

/** The evidence of a word for @, which may be an ordinary one. */
function spokenSignAt(signs: readonly Sign[], at: number): number {
  const sign = signs[at];
  const after = signs[at + 1];
  if (!sign || !after) return 0;
  const clear = hasMeaning(sign, AT);
  const domain =
    (clear || !NO_LABELS.has(after.text) ? domainAt(signs, at + 1) : null) ??
    wideDomain(signs, at + 1, nameWorth(signs, at) > 0);
  if (!domain) return 0;
  if (!clear && !domain.top && domain.provider < 2 && nameWorth(signs, at) <= 0) return 0;
  if (
    !clear &&
    domain.tight &&
    domain.spoken === 0 &&
    domain.labels > 2 &&
    (domain.provider === 0 || after.text === 'mail')
  )
    return 0;
  const boxed = BRACKETS.test(sign.gap) && BRACKETS.test(after.gap);
  const evidence = (clear ? 2.5 : 1.5) + (boxed ? 1.5 : 0) + worth(domain) + endingWorth(domain);
  return evidence + nameWorth(signs, at) + askEvidence(signs, at);
}

/** "at frantoio bianchi punto it": a domain whose first label has several words. */
function wideDomain(signs: readonly Sign[], from: number, named: boolean): Domain | null {
  for (let skip = 1; skip <= 3; skip++) {
    if (endsSentence(signs, from + skip) || signs[from + skip]?.gap.includes(',')) return null;
    if (NO_LABELS.has(signs[from + skip]?.text ?? '')) return null;
    const domain = domainAt(signs, from + skip);
    if (domain?.top && domain.spoken >= 1 && !NO_LABELS.has(signs[from]?.text ?? '')) return domain;
    if (domain?.provider === 2 && named) return domain;
  }
  return null;
}

/** A picture or an odd sign in place of the @. */
const ODD_AT = /^\s?[^\p{L}\p{N}\s.,:;/()'"&+_\-\n]{1,3}\s?$/u;

/** The evidence of a mail service without an @: as a spelled domain, or beside a name called an account. */
function serviceAt(signs: readonly Sign[], at: number): number {
  const domain = domainAt(signs, at);
  if (!domain?.top) return 0;
  const gap = signs[at]?.gap ?? '';
  if (ODD_AT.test(gap) && signs[at - 1]?.kind === 'word' && (domain.provider === 2 || !gap.includes(' '))) return SURE;
  return domain.provider === 2 && domain.spoken > 0 ? 3 + Math.min(1, askEvidence(signs, at)) : 0;
}

/** A spelled site is always doubtful. */
const SITE_MAX = SURE - 0.5;

/** The evidence of a site with a spelled dot, which people write only to hide it. */
function siteAt(signs: readonly Sign[], at: number): number {
  const sign = signs[at];
  if (sign?.kind !== 'word' || sign.text.length < 3 || hasMeaning(signs[at - 1], DOT) || NO_LABELS.has(sign.text))
    return 0;
  // Checked first, since very few words have a spelled dot after them.
  const dot = labelEnd(signs, at);
  if (!hasMeaning(signs[dot], DOT | DOT_VAGUE)) return 0;
  const domain = domainAt(signs, at);
  if (!domain?.top || domain.spoken <= 0) return 0;
  const evidence = (domain.spoken < 1 ? 1.5 : 2) + (domain.common ? -1 : 0.5);
  // Sites may be published; an administrator reviews a hidden one.
  return Math.min(SITE_MAX, evidence + (askEvidence(signs, at) > 0 ? 0.5 : 0));
}

/** All email addresses in the signs. `texts` are the texts of the signs. */
export function mailboxesIn(signs: readonly Sign[], texts: readonly string[]): Finding[] {
  const found: Finding[] = [];
  for (const [at, sign] of signs.entries()) {
    let evidence = 0;
    if (sign.kind === 'at') evidence = signAt(signs, at);
    else if (hasMeaning(sign, AT | AT_VAGUE)) evidence = spokenSignAt(signs, at);
    if (sign.kind === 'word' && hasMeaning(sign, MAIL | MAIL_VAGUE))
      evidence = Math.max(evidence, serviceAt(signs, at));
    const joins = sign.kind !== 'at' && sign.kind !== 'dot';
    if (joins) found.push(...findingOf('contact', siteAt(signs, at), at, at + 2));
    if (joins && (sign.text.length >= GLUED_MIN || signs[at + 1]?.gap === '')) {
      const until = labelEnd(signs, at);
      const raw = sign.drawn
        ? sign.text
        : (texts[sign.field]?.slice(sign.start, signs[until - 1]?.end) ?? '').replace(/[_-]/g, '');
      if (isGlued(raw)) evidence = SURE;
    }
    found.push(...findingOf('email', evidence, Math.max(0, at - 1), at + 1));
  }
  return found;
}
