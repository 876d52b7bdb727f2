// Email addresses by evidence: a sign or a word for @, a mail service, a dot that was spelled out, an ending that is a
// domain's, and words around them that ask the reader to write. One of these proves little; several together do.

import { BRACKETS, type Domain, domainAt, labelEnd } from './domains.ts';
import { endsSentence, type Finding, findingOf, hasMeaning, isNear, SURE } from './finding.ts';
import { GLUED_MIN, isGlued } from './glued.ts';
import { AT, AT_VAGUE, CONTACT, DOT, DOT_VAGUE, ELSEWHERE, GLUE, JOIN, MAIL, MAIL_CUE, SLASH } from './lexicon.ts';
import type { Sign } from './reading.ts';
import { words } from './tokens.ts';

/** Words before "at" that make it the ordinary word. */
const NOT_NAMES = words(
  `available hosted found us me you it them him her here there live visit more see look looking work works worked working
  is are be was were started starts start based located meet meeting sold priced engineer engineers developer designer manager
  lead leads team teams staff people intern once and or only arrive arrives sign register apply shop buy down aimed book
  now listed featured page website details docs documentation online products demo published seen good great best job jobs
  point experience trained trainer consultant founder director product architect partner shopping customers audits migration`,
);

/** Names of mailboxes that are words of sentences too, and hardly ever before an "at". */
const ROLES = words('hello info office kontakt hallo hola ciao bonjour orders bookings enquiries');

/** Words that are no name of a site. */
const NO_LABELS = words(
  'the polka die der das la le el il any this that each every some a an no one our your my their which point',
);

const worth = ({ provider }: Domain): number => (provider === 2 ? 2.5 : provider === 1 ? 1.5 : 0);

/** What the ending of a domain proves: one that was spelled out or set into brackets hides something. */
function endingWorth(domain: Domain): number {
  if (!domain.top) return 0;
  let evidence = domain.spoken >= 1 ? 3 : domain.spoken > 0 ? 1.5 : 1;
  if (domain.bracketed) evidence += 1;
  if (domain.drawn) evidence += 1;
  if (domain.common && domain.provider === 0) evidence -= domain.spoken >= 1 && domain.long ? 0.5 : 1.5;
  return evidence;
}

const askEvidence = (signs: readonly Sign[], at: number): number =>
  (isNear(signs, at, 12, 10, MAIL_CUE) ? 1.5 : isNear(signs, at, 12, 10, CONTACT) ? 1 : 0) +
  (isNear(signs, at, 8, 14, GLUE) ? 1.5 : 0);

/** What the word before an @ proves: a name with digits or dots in it is nobody's word. */
function nameWorth(signs: readonly Sign[], at: number): number {
  const [sign, before] = [signs[at - 1], signs[at]];
  if (!sign || !before) return 0;
  if (ROLES.has(sign.text)) return 1;
  if (sign.drawn) return 1.5;
  if (sign.kind === 'number' && signs[at - 2]?.kind === 'word' && sign.gap === '') return 1;
  const joined = signs[at - 2];
  const tied = sign.gap === '' ? joined?.kind === 'dot' || joined?.kind === 'number' : /^[_-]$/.test(sign.gap);
  const spoken = hasMeaning(joined, DOT | JOIN) && sign.field === joined?.field;
  if (sign.kind === 'word' && (tied || spoken)) return 1;
  return sign.kind === 'word' && NOT_NAMES.has(sign.text) && sign.field === before.field ? -2 : 0;
}

/** A written @. */
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
  const domain = domainAt(signs, at + 1, false);
  if (!domain) return tight && after?.gap === ' ' && nameWorth(signs, at) > 0 ? 3 : 0;
  if (!domain.top) return (name ? 1.5 : 0) + worth(domain) + askEvidence(signs, at);
  if (domain.provider === 2) return SURE;
  if (tight && domain.tight) return before?.text === 'git' ? 0 : SURE;
  const opens = before !== undefined && before.field === sign.field - 1 && before.kind !== 'dot';
  if (
    opens &&
    domain.tight &&
    (hasMeaning(signs[at - 2], JOIN) || signs[at - 2]?.kind === 'dot' || signs[at - 2]?.field !== before.field)
  )
    return SURE;
  const follows = !name && !sign.drawn;
  return (
    (follows ? 0 : 2) + worth(domain) + endingWorth(domain) + askEvidence(signs, at) + (name ? nameWorth(signs, at) : 0)
  );
}

/** A word for @, which may be an ordinary one. */
function spokenSignAt(signs: readonly Sign[], at: number): number {
  const sign = signs[at];
  // "ivan.sobaka.mail.tochka.ru".
  const from = signs[at + 1]?.kind === 'dot' && signs[at + 1]?.gap === '' ? at + 2 : at + 1;
  const after = signs[from];
  if (!sign || !after) return 0;
  const clear = hasMeaning(sign, AT);
  const listed = sign.gap.includes(',') || after.gap.includes(',');
  const domain =
    (clear || !NO_LABELS.has(after.text) ? domainAt(signs, from, listed) : null) ??
    wideDomain(signs, from, nameWorth(signs, at) > 0);
  if (!domain) return 0;
  if (!clear && !domain.top && domain.provider < 2 && nameWorth(signs, at) <= 0) return 0;
  if (!clear && domain.tight && domain.spoken === 0 && domain.labels > 2) return 0;
  const boxed = BRACKETS.test(sign.gap) && BRACKETS.test(after.gap);
  const evidence = (clear ? 2.5 : 1) + (boxed ? 1.5 : 0) + worth(domain) + endingWorth(domain);
  return evidence + nameWorth(signs, at) + askEvidence(signs, at);
}

/** "at frantoio bianchi punto it": a domain whose first label has several words. */
function wideDomain(signs: readonly Sign[], from: number, named: boolean): Domain | null {
  for (let skip = 1; skip <= 3; skip++) {
    if (endsSentence(signs, from + skip) || signs[from + skip]?.gap.includes(',')) return null;
    if (NO_LABELS.has(signs[from + skip]?.text ?? '')) return null;
    const domain = domainAt(signs, from + skip, false);
    if (domain?.top && domain.spoken >= 1 && !NO_LABELS.has(signs[from]?.text ?? '')) return domain;
    if (domain?.provider === 2 && named) return domain;
  }
  return null;
}

/** A picture or an odd sign where the @ should be. */
const ODD_AT = /^\s?[^\p{L}\p{N}\s.,:;/()'"&+_\-\n]{1,3}\s?$/u;

/** A mail service told without an @: its name as a domain spelled out, or beside a name that is called an account. */
function serviceAt(signs: readonly Sign[], at: number): number {
  const domain = domainAt(signs, at, false);
  if (!domain) return 0;
  if (domain.provider === 2 && domain.top) {
    if (ODD_AT.test(signs[at]?.gap ?? '') && signs[at - 1]?.kind === 'word') return SURE;
    if (domain.spoken > 0 || domain.drawn || domain.bracketed)
      return 3 + (domain.drawn ? 1 : 0) + Math.min(1, askEvidence(signs, at));
  }
  return 0;
}

/** A site that was spelled out leaves a doubt, however clearly it is spelled. */
const SITE_MAX = SURE - 0.5;

/** A site whose dot was said, as nobody writes but to hide it. */
function siteAt(signs: readonly Sign[], at: number): number {
  const sign = signs[at];
  if (sign?.kind !== 'word' || sign.text.length < 3 || hasMeaning(signs[at - 1], DOT) || NO_LABELS.has(sign.text))
    return 0;
  // Asked first, since nearly no word has a spelled dot behind it.
  const dot = labelEnd(signs, at);
  if (!hasMeaning(signs[dot], DOT | DOT_VAGUE)) return 0;
  const domain = domainAt(signs, at, false);
  if (!domain?.top || domain.spoken <= 0) return 0;
  let evidence = (domain.spoken < 1 ? 1.5 : 2) + (domain.common ? -1 : 0.5);
  if (hasMeaning(signs[domain.end], SLASH)) evidence += 1.5;
  if (isNear(signs, at, 10, 12, ELSEWHERE)) evidence += 1;
  // A site is published; one that hides is for an administrator.
  return Math.min(SITE_MAX, evidence + (askEvidence(signs, at) > 0 ? 0.5 : 0));
}

/** Every email address that the signs tell. `texts` are what they were read from. */
export function mailboxesIn(signs: readonly Sign[], texts: readonly string[]): Finding[] {
  const found: Finding[] = [];
  for (const [at, sign] of signs.entries()) {
    let evidence = 0;
    if (sign.kind === 'at') evidence = signAt(signs, at);
    else if (hasMeaning(sign, AT | AT_VAGUE)) evidence = spokenSignAt(signs, at);
    if (sign.kind === 'word' && hasMeaning(sign, MAIL)) evidence = Math.max(evidence, serviceAt(signs, at));
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
