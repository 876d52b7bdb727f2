// Judges several texts as one: what somebody split over a headline and a description, over offers or labels, reads the same
// to a person. Each finding names the texts that it stands in.
import { accountsIn } from './chats.ts';
import { phonesIn } from './dialled.ts';
import { undisguised } from './disguises.ts';
import { type Finding, has } from './finding.ts';
import { homesIn } from './homes.ts';
import { BACKWARDS, CHAT, MAIL, PAY } from './lexicon.ts';
import { mailboxesIn } from './mailbox.ts';
import { phrased } from './phrases.ts';
import { readable, type Sign, signsOf } from './reading.ts';
import { secretsIn } from './secrets.ts';
import { uncompounded, undrawn, unnamed } from './spelled.ts';

/** A finding with the places of the texts that it stands in. */
export interface Told extends Finding {
  readonly fields: readonly number[];
}

function settled(texts: readonly string[]): Sign[] {
  return uncompounded(phrased(undrawn(unnamed(signsOf(texts))), CHAT | MAIL | PAY));
}

function foundIn(signs: readonly Sign[], texts: readonly string[]): Finding[] {
  return [
    ...mailboxesIn(signs, texts),
    ...phonesIn(signs),
    ...accountsIn(signs),
    ...secretsIn(signs, texts),
    ...homesIn(signs),
  ];
}

function placed(signs: readonly Sign[], finding: Finding): Told {
  const fields = new Set<number>();
  for (let at = finding.from; at <= finding.to; at++) {
    const field = signs[at]?.field;
    if (field !== undefined) fields.add(field);
  }
  return { ...finding, fields: [...fields] };
}

/** Texts that were turned round or encoded, read again by the plain rules of `reads`. */
function disguised(
  texts: readonly string[],
  signs: readonly Sign[],
  reads: (text: string) => readonly Finding['kind'][],
): Told[] {
  const told = signs.some((sign) => has(sign, BACKWARDS));
  return texts.flatMap((text, field) =>
    undisguised(text, told).flatMap((plain) =>
      reads(plain)
        .filter((kind) => kind !== 'calendar' && kind !== 'street_address')
        .map((kind) => ({ kind, from: 0, to: 0, sure: true, fields: [field] })),
    ),
  );
}

/** What several texts tell together. `reads` judges a text that was decoded. Linear in the texts. */
export function toldTogether(texts: readonly string[], reads: (text: string) => readonly Finding['kind'][]): Told[] {
  const read = texts.map(readable);
  const signs = settled(read);
  return [...foundIn(signs, read).map((finding) => placed(signs, finding)), ...disguised(read, signs, reads)];
}
