// What the service says in a conversation, as a code and its values; each language has its texts.
import type { EventWords } from '../words/en/events.ts';

export const NOTE_CODES = ['proposal_approved', 'proposal_declined', 'deal_cancelled'] as const;

/** What the sender of a message did to an agreement of both. */
export interface Note {
  readonly code: (typeof NOTE_CODES)[number];
  readonly amount_cents: number;
}

/** A note in words; `handle` is the agent's. */
export function noteText(handle: string, { code, amount_cents }: Note, { notes, figures }: EventWords): string {
  return notes[code](`@${handle}`, figures.money(amount_cents));
}
