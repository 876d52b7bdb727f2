// Joins words that were split, before detection: spaced letters ("g m a i l", "g.m.a.i.l"), and phrases with a meaning
// of their own: "at the rate", "full stop".
import { meaningOf, phraseLength } from './lexicon.ts';
import { readSigns, type Sign } from './reading.ts';

/** Fewer are initials, a list of two, or words of one letter. */
const DRAWN_MIN = 3;
const DRAWN_GAP = 4;

/** Latin, Greek and Cyrillic letters; a sign of other scripts may be a word. */
const ALPHABETS_END = '\u0530';
const isLetter = (sign: Sign | undefined): sign is Sign =>
  sign?.kind === 'word' && sign.text.length === 1 && sign.text < ALPHABETS_END;

interface Chain {
  readonly end: number;
  readonly letters: string;
  readonly last: Sign;
}

/** The joint between two letters: the gap, or a dot with its gaps. Null when there is another sign. */
function jointAt(signs: readonly Sign[], at: number): { readonly joint: string; readonly next: number } | null {
  const sign = signs[at];
  if (!sign) return null;
  if (sign.kind === 'dot' && signs[at + 1]) return { joint: `${sign.gap}.${signs[at + 1]?.gap}`, next: at + 1 };
  return sign.gap === '' || sign.gap.length > DRAWN_GAP ? null : { joint: sign.gap, next: at };
}

function chainAt(signs: readonly Sign[], from: number): Chain | null {
  const first = signs[from];
  if (!isLetter(first)) return null;
  let letters = first.text;
  let last = first;
  let end = from + 1;
  let joints: string | null = null;
  for (;;) {
    const step = jointAt(signs, end);
    const next = step ? signs[step.next] : undefined;
    if (!step || !next || next.field !== first.field || next.text.length !== 1 || next.text >= ALPHABETS_END) break;
    if (next.kind !== 'word' && next.kind !== 'number') break;
    joints ??= step.joint;
    if (step.joint !== joints) break;
    letters += next.text;
    last = next;
    end = step.next + 1;
  }
  return { end, letters, last };
}

/** Joins spaced letters to words. Each chain is walked once. */
function joinDrawn(signs: readonly Sign[]): Sign[] {
  const made: Sign[] = [];
  for (let at = 0; at < signs.length; ) {
    const sign = signs[at];
    if (!sign) break;
    const chain = chainAt(signs, at);
    if (!chain || chain.letters.length < DRAWN_MIN) {
      made.push(sign);
      at += 1;
      continue;
    }
    const { letters, last, end } = chain;
    made.push({
      ...sign,
      ...meaningOf(letters),
      text: letters,
      end: last.end,
      spoken: meaningOf(letters).digits !== null,
      drawn: true,
    });
    at = end;
  }
  return made;
}

const PHRASE_GAP = /^[ \-_'’\u00a0]{0,2}$/;

/** Joins the signs of each phrase. */
function joinPhrases(signs: readonly Sign[]): Sign[] {
  const made: Sign[] = [];
  for (let at = 0; at < signs.length; ) {
    const sign = signs[at];
    if (!sign) break;
    let taken = 1;
    let known: Sign = sign;
    let text = sign.text;
    const longest = sign.kind === 'word' || sign.kind === 'number' ? phraseLength(sign.text) : 0;
    for (let size = 2; size <= longest; size++) {
      const next = signs[at + size - 1];
      if (
        !next ||
        (next.kind !== 'word' && next.kind !== 'number') ||
        !PHRASE_GAP.test(next.gap) ||
        next.field !== sign.field
      )
        break;
      text += ` ${next.text}`;
      const meaning = meaningOf(text);
      if (meaning.is === 0 && meaning.digits === null) continue;
      taken = size;
      known = {
        ...sign,
        ...meaning,
        kind: 'word',
        text,
        end: next.end,
        spoken: meaning.digits !== null,
      };
    }
    made.push(known);
    at += taken;
  }
  return made;
}

/** Reads legible texts in sequence. */
export const signsOf = (texts: readonly string[]): Sign[] => joinPhrases(joinDrawn(readSigns(texts)));
