// Judges several texts as one: what somebody split over a headline and a description, over offers or labels, reads the same
// to a person. Each finding names the texts that it stands in.
import { accountsIn } from './chats.ts';
import { phonesIn } from './dialled.ts';
import { undisguise } from './disguises.ts';
import { type Finding, hasMeaning } from './finding.ts';
import { homesIn } from './homes.ts';
import { invitesElsewhere } from './invitations.ts';
import { BACKWARDS, CHAT, CHAT_VAGUE, MAIL, PAY } from './lexicon.ts';
import { mailNamesIn } from './mail-names.ts';
import { mailboxesIn } from './mailbox.ts';
import { withoutMarks } from './marks.ts';
import { joinPhrases } from './phrases.ts';
import { makeReadable, type Sign, signsOf } from './reading.ts';
import { bankNumbersIn, secretsIn } from './secrets.ts';
import { type Shaped, shapesIn } from './shapes.ts';
import { joinDrawn, nameLetters, splitCompounds } from './spelled.ts';

/** A finding with the places of the texts that it stands in. */
export interface Disclosed extends Finding {
  readonly fields: readonly number[];
}

function settleSigns(texts: readonly string[]): Sign[] {
  return splitCompounds(joinPhrases(joinDrawn(nameLetters(signsOf(texts))), CHAT | MAIL | PAY));
}

function findingsIn(signs: readonly Sign[], texts: readonly string[]): Finding[] {
  return [...mailboxesIn(signs, texts), ...mailNamesIn(signs), ...secretsIn(signs, texts), ...homesIn(signs)];
}

/** Numbers and accounts; what a program gave is neither. */
function reachedBy(signs: readonly Sign[], texts: readonly string[]): Disclosed[] {
  const bare = texts.map(withoutMarks);
  const read = bare.every((text, at) => text === texts[at]) ? signs : settleSigns(bare);
  return [...phonesIn(read), ...accountsIn(read), ...bankNumbersIn(read)].map((finding) => locate(read, finding));
}

function locate(signs: readonly Sign[], finding: Finding): Disclosed {
  const fields = new Set<number>();
  for (let at = finding.from; at <= finding.to; at++) {
    const field = signs[at]?.field;
    if (field !== undefined) fields.add(field);
  }
  return { ...finding, fields: [...fields] };
}

/** Texts that were turned round or encoded, read again by the plain rules of `reads`. */
function disclosuresBehind(
  texts: readonly string[],
  signs: readonly Sign[],
  reads: (text: string) => readonly Finding['kind'][],
): Disclosed[] {
  const told = signs.some((sign) => hasMeaning(sign, BACKWARDS));
  return texts.flatMap((text, field) =>
    undisguise(text, told).flatMap((plain) =>
      reads(plain)
        .filter((kind) => kind !== 'calendar' && kind !== 'street_address')
        .map((kind) => ({ kind, from: 0, to: 0, sure: true, fields: [field] })),
    ),
  );
}

/** Each piece is looked at by itself and overlaps the next, so that what a pattern costs never grows with the text. */
const PIECE = 600;
const OVERLAP = 150;

function piecesOf(text: string): string[] {
  if (text.length <= PIECE) return [text];
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) pieces.push(text.slice(from, from + PIECE));
  return pieces;
}

/** What single texts tell by its shape or by where they send a reader. */
function disclosuresByShape(texts: readonly string[], signs: readonly Sign[]): Disclosed[] {
  const nets = new Set(signs.flatMap((sign) => (hasMeaning(sign, CHAT | CHAT_VAGUE) ? [sign.field] : [])));
  return texts.flatMap((text, field) =>
    piecesOf(text).flatMap((piece) => {
      const found: readonly Shaped[] = invitesElsewhere(piece, nets.has(field))
        ? [...shapesIn(piece), { kind: 'contact', sure: false }]
        : shapesIn(piece);
      return found.map((one) => ({ ...one, from: 0, to: 0, fields: [field] }));
    }),
  );
}

/** What several texts tell together. `reads` judges a text that was decoded. Linear in the texts. */
export function disclosuresTogether(
  texts: readonly string[],
  reads: (text: string) => readonly Finding['kind'][],
): Disclosed[] {
  const read = texts.map(makeReadable);
  const signs = settleSigns(read);
  return [
    ...findingsIn(signs, read).map((finding) => locate(signs, finding)),
    ...reachedBy(signs, read),
    ...disclosuresByShape(read, signs),
    ...disclosuresBehind(read, signs, reads),
  ];
}
