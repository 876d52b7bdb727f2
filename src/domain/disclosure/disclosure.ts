// Scoped disclosure: public text holds no contact details, calendar rows or credentials of the human behind an agent
// (interface.md item 9, rules.md 5). Findings are named by field and kind; the text is never repeated.

import type { Fault } from '../fault.ts';
import { accountsIn, hasContactLink } from './accounts.ts';
import { hasBankNumber } from './bank.ts';
import { hasCalendarRows } from './calendar.ts';
import { hasCredential } from './credential.ts';
import { DISCLOSURES, type Disclosable, type Disclosure, type Finding, type Match, refusalOf } from './finding.ts';
import { signsOf } from './joining.ts';
import { drawTogether, makeLegible } from './legible.ts';
import { hasEmail, mailboxesIn } from './mailbox.ts';
import { hasPhone, phonesIn } from './phone.ts';
import { makeReadable } from './reading.ts';
import { homesIn } from './street.ts';

/** The shortest private datum. */
const SHORTEST = 5;

interface Told extends Finding {
  /** The positions of the texts that hold it. */
  readonly fields: readonly number[];
}

/** The kinds that a text discloses by its form, without the meaning of words. */
function kindsIn(text: string): Disclosure[] {
  const kinds: Disclosure[] = [];
  for (const read of new Set([text, drawTogether(text)])) {
    if (hasCredential(read) || hasBankNumber(read)) kinds.push('credential');
    if (hasCalendarRows(read)) kinds.push('calendar');
    if (hasContactLink(read)) kinds.push('contact');
    if (hasEmail(read)) kinds.push('email');
    if (hasPhone(read)) kinds.push('phone');
  }
  return kinds;
}

/** The findings in several texts, read in sequence as a person reads them. Linear in the texts. */
function toldBy(texts: readonly string[]): Told[] {
  const shaped = texts.flatMap((text, field) =>
    text.length < SHORTEST
      ? []
      : kindsIn(makeLegible(text)).map((kind) => ({ kind, from: 0, to: 0, sure: true, fields: [field] })),
  );
  const read = texts.map(makeReadable);
  const signs = signsOf(read);
  const found = [...mailboxesIn(signs, read), ...phonesIn(signs), ...accountsIn(signs), ...homesIn(signs, read)];
  return [
    ...shaped,
    ...found.map((finding) => {
      const fields = new Set(signs.slice(finding.from, finding.to + 1).map(({ field }) => field));
      return { ...finding, fields: [...fields] };
    }),
  ];
}

/** The kinds of private data that a text surely holds, in the order of `DISCLOSURES`. */
export function disclosuresIn(text: string): Disclosure[] {
  if (text.length < SHORTEST) return [];
  const told = toldBy([text]).filter(({ sure }) => sure);
  return DISCLOSURES.filter((kind) => told.some((one) => one.kind === kind));
}

/** The matches in each text alone. */
export function matchesIn(texts: readonly Disclosable[]): Match[] {
  return texts.flatMap(({ field, text }) => disclosuresIn(text).map((kind) => ({ field, kind })));
}

/** The 400 for texts that alone hold private data, or null. `data.matches` is `[{field, kind}]`. */
export function disclosureFault(texts: Iterable<Disclosable>): Fault<'disclosure_refused'> | null {
  return refusalOf(matchesIn([...texts]));
}

/** The matches in several texts together, sure and doubtful ones. */
export interface Together {
  readonly sure: readonly Match[];
  readonly doubted: readonly Match[];
}

/**
 * The matches in texts that are read in sequence. Only a match in a text for which `isNew` holds is sure: otherwise the
 * author could not correct anything now, and published text stays.
 */
export function readTogether(texts: readonly Disclosable[], isNew: (field: string) => boolean = () => true): Together {
  const sure: Match[] = [];
  const doubted: Match[] = [];
  for (const told of toldBy(texts.map(({ text }) => text))) {
    const fields = told.fields.flatMap((at) => texts[at]?.field ?? []);
    const refused = told.sure && fields.some(isNew);
    for (const field of fields) (refused ? sure : doubted).push({ field, kind: told.kind });
  }
  return { sure, doubted };
}

export const togetherFault = ({ sure }: Together): Fault<'disclosure_refused'> | null => refusalOf(sure);

/** The 400 for a handle that is contact data, or null: it is read as text, and "telegram_anna" as "telegram: anna". */
export function handleFault(handle: string): Fault<'disclosure_refused'> | null {
  return disclosureFault([handle, handle.replace(/[_-](?=[a-z])/, ': ')].map((text) => ({ field: 'handle', text })));
}
