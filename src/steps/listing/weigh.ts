// Schedules the weighing of words: whether the words common to many listings of a card type are still those that the vectors
// were made with. It runs some minutes after the first of several commits, at the same time on every node: a wave of listings
// recomputes the vectors once, and a word that moves back and forth over a step costs one round at most.
import { Type } from 'typebox';
import { type Effect, insert } from '../../../db/effects.ts';
import { CARD_TYPES } from '../../domain/listing/listing.ts';
import { remind, unremind } from '../reminder.ts';

/** Words are weighed at whole multiples of this time. A search may ignore for as long that a word became common. */
const EVERY_MS = 600_000;
/** A commit less than this before the time may not be in every node's index by then, and counts for the next. */
const SETTLE_MS = 60_000;
/** Work that is not done after this time is started again: its process died. */
const AGAIN_MS = 300_000;

/** The call that weighs all card types, or finishes the vectors of one whose new set is already stored. */
export const WEIGH = {
  name: 'listing.weigh_words',
  input: Type.Object({ card_type: Type.Optional(Type.String()) }),
} as const;

/** When a commit of now will have been weighed. */
export function weighedAt(now_ms: number): number {
  return Math.ceil((now_ms + SETTLE_MS) / EVERY_MS) * EVERY_MS;
}

/** From when on a commit must schedule again after `weighedAt`. */
export function settledBy(weighed_at: number): number {
  return weighed_at - SETTLE_MS;
}

/** Schedules it. Each card type gets its row, because a turn notices a change only of an existing row. */
export function weighWords(now_ms: number): Effect<never>[] {
  const rows = CARD_TYPES.map((id) => insert('template_words', { id, shares: {} }, 'ignore'));
  return [...rows, remind(WEIGH, {}, { key: '', at: weighedAt(now_ms), now_ms })];
}

/** Schedules the vectors of a card type again, in case the current work is lost. */
export function reweighLater(card_type: string, now_ms: number): ReturnType<typeof remind> {
  return remind(WEIGH, { card_type }, { key: card_type, at: now_ms + AGAIN_MS, now_ms });
}

/** Cancels it once all vectors of a card type are made with its set. */
export function unremindReweigh(card_type: string): Effect<never> {
  return unremind(WEIGH, card_type);
}
