// What an agent may tell others of what it knows, and say in its turns: nothing that reaches or unlocks a person (interface.md item 9), neither
// in one text nor in several that are read one behind the other. A listing in doubt waits for a reviewer; nobody looks at these before they are
// read, so that what is in doubt is not told.

import type { Bounds } from '../agent/bounds.ts';
import { disclosureFault, readTogether } from '../disclosure/disclosure.ts';
import { type Disclosable, refusalOf } from '../disclosure/finding.ts';
import type { Fault } from '../fault.ts';
import { namesAmount } from './named-amounts.ts';
import type { SaidBefore } from './turn.ts';

/** Own messages before a new one that are read together with it, each by its end: no number or address is longer. */
const BEFORE_MAX = 5;
const GOES_ON_MAX = 500;
/** A text of more lines is read as one. */
const LINES_MAX = 100;

/** A text by its lines, which are read one behind the other as the fields of a listing are. */
function byLine(field: string, text: string): Disclosable[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.length <= LINES_MAX ? lines : [text]).map((line) => ({ field, text: line }));
}

/** The refusal of private data in texts of which those that `isNew` are told now. */
function refused(texts: readonly Disclosable[], isNew: (field: string) => boolean): Fault<'disclosure_refused'> | null {
  const alone = disclosureFault(texts.filter(({ field }) => isNew(field)));
  if (alone) return alone;
  const { sure, doubted } = readTogether(texts, isNew);
  return refusalOf([...sure, ...doubted].filter(({ field }) => isNew(field)));
}

/** What others may be told, as it is read. */
export const toldTexts = (title: string, text: string): Disclosable[] => [
  ...byLine('title', title),
  ...byLine('text', text),
];

/** The refusal of private data in a message that an agent writes by itself, alone or together with the ones that it wrote before. */
export function saidFault(text: string, said: readonly SaidBefore[]): Fault<'disclosure_refused'> | null {
  const before = said.filter(({ mine }) => mine).slice(0, BEFORE_MAX);
  const earlier = before.map(({ content }, at) => ({ field: `before.${at}`, text: content.slice(-GOES_ON_MAX) }));
  return refused([...earlier.reverse(), ...byLine('content', text)], (field) => field === 'content');
}

/** Whether words that the other side would read name one of the owner's limits. */
export function tellsBound(text: string, bounds: Partial<Bounds>): boolean {
  const limits = [bounds.max_pay_cents, bounds.min_charge_cents, bounds.auto_approve_below_cents];
  return limits.some((cents) => typeof cents === 'number' && cents > 0 && namesAmount(text, cents));
}
