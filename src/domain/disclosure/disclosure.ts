// Scoped disclosure: text that everybody may read holds no contact details, calendar rows or credentials of the human
// behind an agent (interface.md item 9, rules.md 5). What was found is named by field and kind, never repeated.

import type { Fault } from '../fault.ts';
import { hasBankNumber } from './bank.ts';
import { hasCalendarRows } from './calendar.ts';
import { hasCredential } from './credential.ts';
import { hasEmail } from './email.ts';
import { DISCLOSURES, type Disclosure } from './finding.ts';
import { disclosuresInHandle } from './handles.ts';
import { drawTogether, makeLegible } from './legible.ts';
import { type Disclosable, type Match, refusalOf } from './match.ts';
import { hasPhone, withoutOtherNumbers } from './phone.ts';
import { runsOf } from './spoken.ts';
import { hasStreetAddress } from './street.ts';
import { tokensOf } from './tokens.ts';
import { disclosuresTogether } from './whole.ts';

export type { Disclosure };

/** Nothing shorter holds any of them. */
const SHORTEST = 5;
/** What each needs, so that plain prose is passed over at one look: something that may be an @ … */
const REACHABLE =
  /[@([{<_/*]|(?<!\p{L})(?:at|arroba|arobase|chiocciola|klammeraffe|sobaka|malpa|zavinac|kukac|snabela|atsign)(?!\p{L})|[^\0-\x7f]/iu;
/** … a number, in digits or words … */
const NUMBERED =
  /[0-9]|(?<!\p{L})(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]{3,5}teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|null|eins|zwei|drei|uno|dos|tres|un|deux|trois|um|dois|due|tre|double|triple)(?!\p{L})|[^\0-\x7f]|postfach|BEGIN:/iu;
/** … or the name of a secret. */
const SECRETIVE =
  /pass|p.?w|secret|token|key|mot de|mdp|clave|contras|senha|haslo|losen|kennwort|credential|code|pin|phrase|words|basic|bearer|otp|tan|---|[_:/]|[0-9]|[^\0-\x7f]/i;

function isDisclosed(text: string, kinds: Set<Disclosure>): void {
  const numbered = NUMBERED.test(text);
  const reachable = REACHABLE.test(text);
  if (SECRETIVE.test(text) && hasCredential(text)) kinds.add('credential');
  if (!numbered && !reachable) return;
  const tokens = tokensOf(text);
  if (reachable && hasEmail(tokens)) kinds.add('email');
  if (!numbered) return;
  if (hasStreetAddress(tokens, text)) kinds.add('street_address');
  if (hasCalendarRows(tokens, text)) kinds.add('calendar');
  const runs = runsOf(tokens);
  if (hasBankNumber(tokens, runs, text)) kinds.add('credential');
  const other = withoutOtherNumbers(text);
  const rest = other === text ? tokens : tokensOf(other);
  if (hasPhone(rest, rest === tokens ? runs : runsOf(rest))) kinds.add('phone');
}

/** The kinds of private data that a text holds, in the order of `DISCLOSURES`. Linear in the text, whatever it is. */
export function disclosuresIn(text: string): Disclosure[] {
  if (text.length < SHORTEST) return [];
  const kinds = new Set<Disclosure>();
  const read = makeLegible(text);
  isDisclosed(read, kinds);
  const together = drawTogether(read);
  if (together !== read) isDisclosed(together, kinds);
  return DISCLOSURES.filter((kind) => kinds.has(kind));
}

/** What texts hold each by itself. */
export function matchesIn(texts: readonly Disclosable[]): Match[] {
  return texts.flatMap(({ field, text }) => disclosuresIn(text).map((kind) => ({ field, kind })));
}

/** The 400 for texts that hold private data each by itself, or null. `data.matches` is `[{field, kind}]`. */
export function disclosureFault(texts: Iterable<Disclosable>): Fault<'disclosure_refused'> | null {
  return refusalOf(matchesIn([...texts]));
}

/** What several texts tell together, as far as it is sure and as far as it is in doubt. */
export interface Together {
  readonly sure: readonly Match[];
  readonly doubted: readonly Match[];
}

/**
 * What texts tell that are read one behind the other, as a person reads them. Only what stands in a text that `isNew` is
 * sure: a refusal would name nothing that its author could mend now, and what was published stays.
 */
export function readTogether(texts: readonly Disclosable[], isNew: (field: string) => boolean = () => true): Together {
  const sure: Match[] = [];
  const doubted: Match[] = [];
  for (const told of disclosuresTogether(
    texts.map(({ text }) => text),
    disclosuresIn,
  )) {
    const fields = told.fields.flatMap((at) => texts[at]?.field ?? []);
    const refused = told.sure && fields.some(isNew);
    for (const field of fields) (refused ? sure : doubted).push({ field, kind: told.kind });
  }
  return { sure, doubted };
}

/** The 400 for what texts tell together, or null. */
export const togetherFault = ({ sure }: Together): Fault<'disclosure_refused'> | null => refusalOf(sure);

/** The 400 for a handle that reaches a person, or null. */
export function handleFault(handle: string): Fault<'disclosure_refused'> | null {
  return refusalOf(disclosuresInHandle(handle).map((kind) => ({ field: 'handle', kind })));
}
