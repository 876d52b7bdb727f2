// Findings: a kind of private data, its signs, and whether it is doubtful; and the refusal, which names fields and kinds
// and never repeats the text.
import { type Fault, fault } from '../fault.ts';
import type { Sign } from './reading.ts';

export const DISCLOSURES = ['email', 'phone', 'contact', 'street_address', 'calendar', 'credential'] as const;
/** `contact` is a name or a link by which a person is reached elsewhere. */
export type Disclosure = (typeof DISCLOSURES)[number];

export interface Finding {
  readonly kind: Disclosure;
  /** The first and the last sign of it. */
  readonly from: number;
  readonly to: number;
  /** False where an administrator should look. */
  readonly sure: boolean;
}

/** The evidence for a sure finding, and for a doubtful one. All detectors use these units. */
export const SURE = 4;
const DOUBTED = 3;

/** The finding for this evidence, if it is enough. */
export function findingOf(kind: Disclosure, evidence: number, from: number, to: number): Finding[] {
  return evidence < DOUBTED ? [] : [{ kind, from, to, sure: evidence >= SURE }];
}

/** A text with its path for the author, such as `conditions.tiers.0.name`. */
export interface Disclosable {
  readonly field: string;
  readonly text: string;
}

/** A place of certain or suspected private data: the field and the kind, never the text. */
export interface Match {
  readonly field: string;
  readonly kind: Disclosure;
}

/** The 400 for matches, or null. `data.matches` is `[{field, kind}]`. */
export function refusalOf(found: readonly Match[]): Fault<'disclosure_refused'> | null {
  const seen = new Set<string>();
  const matches = found.filter(({ field, kind }) => !seen.has(`${kind} ${field}`) && seen.add(`${kind} ${field}`));
  if (matches.length === 0) return null;
  const where = [...new Set(matches.map(({ field }) => field))].join(', ');
  return fault(
    'disclosure_refused',
    `Take out what reaches or unlocks a person (${where}): contact details, dated appointments and credentials are not published here.`,
    { matches },
  );
}

export const hasMeaning = (sign: Sign | undefined, meanings: number): boolean =>
  sign !== undefined && (sign.is & meanings) !== 0;

/** Whether a sign that has one of the meanings stands close to a place. */
export function isNear(signs: readonly Sign[], at: number, back: number, ahead: number, meanings: number): boolean {
  const from = Math.max(0, at - back);
  const to = Math.min(signs.length - 1, at + ahead);
  for (let i = from; i <= to; i++) if (i !== at && hasMeaning(signs[i], meanings)) return true;
  return false;
}

/** Whether a sentence ends between a sign and the one before it: a full stop is a sign of its own. */
export function endsSentence(signs: readonly Sign[], at: number): boolean {
  const [sign, before] = [signs[at], signs[at - 1]];
  if (!sign || !before || sign.field !== before.field) return true;
  return /[!?;\n。！？]/.test(sign.gap) || (before.kind === 'dot' && sign.gap !== '' && before.gap === '');
}

export const words = (line: string): ReadonlySet<string> => new Set(line.split(/\s+/).filter(Boolean));
