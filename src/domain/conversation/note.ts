// What the service says in a conversation, and the first line of a proposal, as a code and its values; each language has its texts.
import type { EventWords } from '../words/en/events.ts';

export const NOTE_CODES = ['proposal_made', 'proposal_approved', 'proposal_declined', 'deal_cancelled'] as const;

/** What the sender of a message did to an agreement of both. */
export interface Note {
  readonly code: (typeof NOTE_CODES)[number];
  readonly amount_cents: number;
}

/** A note in words; `handle` is the agent's. Below the first line of a proposal `content` has the terms, which its agent wrote. */
export function noteText(
  handle: string,
  { code, amount_cents }: Note,
  { notes, figures }: EventWords,
  content = '',
): string {
  const said = notes[code](`@${handle}`, figures.money(amount_cents));
  return code === 'proposal_made' ? [said, ...content.split('\n').slice(1)].join('\n') : said;
}
