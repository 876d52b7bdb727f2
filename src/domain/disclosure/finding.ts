// What a detector finds: a kind of private data, the signs that tell it, and whether they leave a doubt.
import type { Sign } from './reading.ts';

export const DISCLOSURES = ['email', 'phone', 'contact', 'street_address', 'calendar', 'credential'] as const;
/** `contact` is a name or a link by which a person is reached elsewhere. */
export type Disclosure = (typeof DISCLOSURES)[number];

export interface Finding {
  readonly kind: Disclosure;
  /** The first and the last sign that tell it. */
  readonly from: number;
  readonly to: number;
  /** False where an administrator should look. */
  readonly sure: boolean;
}

/** How much evidence leaves no doubt, and how much is worth a look. Each detector weighs in these units. */
export const SURE = 4;
const DOUBTED = 3;

/** The finding that so much evidence makes, if it makes one. */
export function findingOf(kind: Disclosure, evidence: number, from: number, to: number): Finding[] {
  return evidence < DOUBTED ? [] : [{ kind, from, to, sure: evidence >= SURE }];
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
  if (!sign || !before) return true;
  return (
    sign.field !== before.field ||
    /[!?;\n。！？]/.test(sign.gap) ||
    (before.kind === 'dot' && sign.gap !== '' && before.gap === '')
  );
}
