// Words that mean something only together: "at the rate", "guion bajo", and a name drawn apart into two, as "g mail".
import { CONTACT, MAIL_CUE, type Meaning, meaningOf, PHONE, phraseLength } from './lexicon.ts';
import type { Sign } from './reading.ts';

/** What a word still announces within a phrase. */
const KEPT = PHONE | CONTACT | MAIL_CUE;
const PHRASE_GAP = /^[ \-_'’\u00a0]{0,2}$/;

/** Two words that are one drawn apart, as "g mail". */
function joinedMeaning(one: Sign, two: Sign, wanted: number): Meaning | null {
  if (two.gap !== ' ' || one.text.length + two.text.length > 10 || one.is !== 0) return null;
  const meaning = meaningOf(one.text + two.text);
  return (meaning.is & wanted) !== 0 ? meaning : null;
}

/** The signs with those of a phrase as one. `halved` are the meanings for which a word may be drawn apart into two. */
export function joinPhrases(signs: readonly Sign[], halved: number): Sign[] {
  const made: Sign[] = [];
  for (let at = 0; at < signs.length; ) {
    const sign = signs[at];
    if (!sign) break;
    let taken = 1;
    let known: Sign = sign;
    let cues = sign.is & KEPT;
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
      cues |= next.is & KEPT;
      known = {
        ...sign,
        ...meaning,
        is: meaning.is | cues,
        kind: 'word',
        text,
        end: next.end,
        spoken: meaning.digits !== null,
      };
    }
    const next = signs[at + 1];
    if (taken === 1 && next?.kind === 'word' && sign.kind === 'word' && next.field === sign.field) {
      const meaning = joinedMeaning(sign, next, halved);
      if (meaning) {
        taken = 2;
        known = { ...sign, ...meaning, text: sign.text + next.text, end: next.end };
      }
    }
    made.push(known);
    at += taken;
  }
  return made;
}
