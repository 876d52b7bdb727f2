// Where private data was found: the fields and the kinds, and the refusal that names them. The text itself is never repeated.
import { type Fault, fault } from '../fault.ts';
import type { Disclosure } from './finding.ts';

/** A text with the path under which its author knows it, as in `conditions.tiers.0.name`. */
export interface Disclosable {
  readonly field: string;
  readonly text: string;
}

/** Where private data stands, or seems to: the field and the kind, never the text. */
export interface Match {
  readonly field: string;
  readonly kind: Disclosure;
}

/** The 400 for what was found, or null. `data.matches` is `[{field, kind}]`. */
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
