// Scoped disclosure: text that everybody may read holds no contact details, calendar rows or credentials of the human
// behind an agent (interface.md item 9, rules.md 5). What was found is named by field and kind, never repeated.

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

/** Nothing shorter holds any of them. */
const SHORTEST = 5;

interface Told extends Finding {
  /** The places of the texts that it stands in. */
  readonly fields: readonly number[];
}

/** What a text tells by its shape, without regard to what its words mean. */
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

/** What several texts tell, read one behind the other as a person reads them. Linear in the texts, whatever they are. */
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
  for (const told of toldBy(texts.map(({ text }) => text))) {
    const fields = told.fields.flatMap((at) => texts[at]?.field ?? []);
    const refused = told.sure && fields.some(isNew);
    for (const field of fields) (refused ? sure : doubted).push({ field, kind: told.kind });
  }
  return { sure, doubted };
}

/** The 400 for what texts tell together, or null. */
export const togetherFault = ({ sure }: Together): Fault<'disclosure_refused'> | null => refusalOf(sure);

/** The 400 for a handle that reaches a person, or null: it is read as a text is, and "telegram_anna" as "telegram: anna". */
export function handleFault(handle: string): Fault<'disclosure_refused'> | null {
  return disclosureFault([handle, handle.replace(/[_-](?=[a-z])/, ': ')].map((text) => ({ field: 'handle', text })));
}
