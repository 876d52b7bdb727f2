// Judges several texts as one: what somebody split over a headline and a description, over offers or labels, reads the same
// to a person. Each finding names the texts that it stands in.
import { accountsIn } from './chats.ts';
import { phonesIn } from './dialled.ts';
import { undisguised } from './disguises.ts';
import { type Finding, has } from './finding.ts';
import { homesIn } from './homes.ts';
import { invitesElsewhere } from './invitations.ts';
import { BACKWARDS, CHAT, CHAT_VAGUE, MAIL, PAY } from './lexicon.ts';
import { mailNamesIn } from './mail-names.ts';
import { mailboxesIn } from './mailbox.ts';
import { phrased } from './phrases.ts';
import { readable, type Sign, signsOf } from './reading.ts';
import { secretsIn } from './secrets.ts';
import { type Shaped, shapesIn } from './shapes.ts';
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
    ...mailNamesIn(signs),
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
function shaped(texts: readonly string[], signs: readonly Sign[]): Told[] {
  const nets = new Set(signs.flatMap((sign) => (has(sign, CHAT | CHAT_VAGUE) ? [sign.field] : [])));
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
export function toldTogether(texts: readonly string[], reads: (text: string) => readonly Finding['kind'][]): Told[] {
  const read = texts.map(readable);
  const signs = settled(read);
  return [
    ...foundIn(signs, read).map((finding) => placed(signs, finding)),
    ...shaped(read, signs),
    ...disguised(read, signs, reads),
  ];
}
