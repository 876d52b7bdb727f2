// Domains in a row of signs, however their dots are written, with what each tells: a mail service, dots that were said or set
// into brackets, an ending that is a word as well.
import { hasMeaning } from './finding.ts';
import { DOT, DOT_VAGUE, JOIN, MAIL, MAIL_VAGUE, TOP, TOP_COMMON } from './lexicon.ts';
import type { Sign } from './reading.ts';

/** Labels that a domain has at most, and words that may stand for one of them. */
const LABELS_MAX = 5;
const LABEL_WORDS_MAX = 4;
const NARROW_GAP = 8;
const LONG_MIN = 6;

export interface Domain {
  readonly from: number;
  readonly end: number;
  readonly provider: 0 | 1 | 2;
  readonly labels: number;
  /** Dots that were said or put into brackets. */
  readonly spoken: number;
  readonly bracketed: boolean;
  readonly tight: boolean;
  readonly top: boolean;
  readonly common: boolean;
  readonly drawn: boolean;
  /** Its first label is longer than most words that stand before such an ending by chance. */
  readonly long: boolean;
}

/** Signs that people set around a spelled one. */
export const BRACKETS = /[([{<«|*~/\\_=>\])}»-]/;

const isDot = (sign: Sign | undefined): boolean => sign?.kind === 'dot' || hasMeaning(sign, DOT | DOT_VAGUE);

/** The drawn word whose last letters are a domain's ending, as in "l.i.b.e.r.o.i.t". */
const endsAsDomain = (sign: Sign): boolean =>
  sign.drawn && /(?:com|net|org|de|it|ru|fr|es|pl|nl|uk|br|in|info)$/.test(sign.text);

/** Where the label ends that begins at a place: words that a hyphen or nothing joins. */
export function labelEnd(signs: readonly Sign[], from: number): number {
  let end = from + 1;
  for (let size = 1; size < LABEL_WORDS_MAX * 2; size++) {
    const next = signs[end];
    const joined = next && next.field === signs[from]?.field && (next.kind === 'word' || next.kind === 'number');
    if (!joined || !(next.gap === '' || next.gap === '-' || next.gap === '_') || isDot(next)) break;
    if (hasMeaning(next, JOIN) && !signs[end + 1]) break;
    end += 1;
  }
  return end;
}

type Draft = { -readonly [K in keyof Domain]: Domain[K] };

/** Reads one label into the draft; where it ends, or null where nothing more belongs to the domain. */
function readLabel(signs: readonly Sign[], at: number, domain: Draft): number | null {
  const [label, before] = [signs[at], signs[at - 1]];
  if (!label || (label.kind !== 'word' && label.kind !== 'number') || label.gap.length > NARROW_GAP) return null;
  const first = domain.labels === 0;
  if (!first && label.gap !== '') domain.tight = false;
  if (!first && label.field !== before?.field && before?.kind !== 'dot' && !hasMeaning(before, DOT)) return null;
  const next = labelEnd(signs, at);
  domain.drawn ||= label.drawn;
  if (first || domain.provider === 0)
    domain.provider = hasMeaning(label, MAIL) ? 2 : hasMeaning(label, MAIL_VAGUE) ? 1 : domain.provider;
  domain.labels += 1;
  if (!first && hasMeaning(signs[next - 1], TOP) && next - at === 1) {
    domain.top = true;
    domain.common = hasMeaning(signs[next - 1], TOP_COMMON) && label.gap !== '';
    domain.end = next;
  }
  if (first && (domain.provider > 0 || endsAsDomain(label))) domain.end = next;
  if (first && endsAsDomain(label)) domain.top = true;
  return next;
}

/** Where the label behind a dot begins, or null where the dot is none of a domain. */
function readDot(signs: readonly Sign[], at: number, commas: boolean, domain: Draft): number | null {
  const [dot, behind] = [signs[at], signs[at + 1]];
  if (!isDot(dot) || !dot || (dot.gap.includes(',') && !commas) || dot.gap.length > NARROW_GAP) return null;
  // "Dot by dot".
  if (behind?.text === 'by' && dot.kind === 'word' && signs[at + 2]?.text === dot.text) return null;
  // A full stop ends a sentence where a space stands behind it and none before.
  const ends = dot.kind === 'dot' && behind !== undefined && behind.gap !== '' && dot.gap === '';
  if (ends && (!hasMeaning(behind, TOP) || hasMeaning(behind, TOP_COMMON))) return null;
  if (dot.kind !== 'dot') domain.spoken += hasMeaning(dot, DOT) ? 1 : 0.5;
  if (BRACKETS.test(dot.gap) && behind && BRACKETS.test(behind.gap)) domain.bracketed = true;
  return at + 1;
}

/** The domain at a place, however its dots are written; null where nothing there ends as one. */
export function domainAt(signs: readonly Sign[], from: number, commas: boolean): Domain | null {
  const long = (signs[from]?.text.length ?? 0) > LONG_MIN;
  const unread = {
    provider: 0,
    labels: 0,
    spoken: 0,
    bracketed: false,
    top: false,
    common: false,
    drawn: false,
  } as const;
  const domain: Draft = { ...unread, from, end: -1, tight: true, long };
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
    at = readDot(signs, next, commas, domain);
  }
  if (domain.end < 0) return null;
  return domain.top ? domain : { ...domain, spoken: 0, bracketed: false };
}
