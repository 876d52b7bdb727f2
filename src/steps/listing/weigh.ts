// Asks for words to be weighed: whether those that many listings of a card type carry are still the ones that the vectors
// were made with. Not at each commit, but some minutes after the first of several, at the same moment on every node: a
// network whose listings come in waves makes its vectors anew once, and each word that goes back and forth over a step
// costs no more than one round of it.
import { Type } from 'typebox';
import { type Effect, insert } from '../../../db/effects.ts';
import { CARD_TYPES } from '../../domain/listing/listing.ts';
import { remind, unremind } from '../reminder.ts';

/** Words are weighed at whole multiples of so long. A search may miss for as long that a word became everybody's. */
const EVERY_MS = 600_000;
/** What was committed less than this before the moment may not be in every node's index by then, and asks for the next. */
const SETTLE_MS = 60_000;
/** After so long a work that should be done is taken up again: it died with its process. */
const AGAIN_MS = 300_000;

/** The call of it: of all card types, or of one whose new set is stored and whose vectors are not all made with it. */
export const WEIGH = {
  name: 'listing.weigh_words',
  input: Type.Object({ card_type: Type.Optional(Type.String()) }),
} as const;

/** The moment at which what is committed now will have been weighed. */
export function weighedAt(now_ms: number): number {
  return Math.ceil((now_ms + SETTLE_MS) / EVERY_MS) * EVERY_MS;
}

/** From when on a commit has to ask again, once `weighedAt` was asked for. */
export function settledBy(weighed_at: number): number {
  return weighed_at - SETTLE_MS;
}

/** Asks for it. Each card type gets its row, since only a row that is there shows to a turn that it changed meanwhile. */
export function weighWords(now_ms: number): Effect<never>[] {
  const rows = CARD_TYPES.map((id) => insert('template_words', { id, shares: {} }, 'ignore'));
  return [...rows, remind(WEIGH, {}, { key: '', at: weighedAt(now_ms), now_ms })];
}

/** Asks for the vectors of a card type to be looked through, if the work that does so now is lost. */
export function reweighLater(card_type: string, now_ms: number): ReturnType<typeof remind> {
  return remind(WEIGH, { card_type }, { key: card_type, at: now_ms + AGAIN_MS, now_ms });
}

/** All vectors of a card type are made with its set. */
export function unremindReweigh(card_type: string): Effect<never> {
  return unremind(WEIGH, card_type);
}
