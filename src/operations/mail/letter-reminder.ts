// The durable asking for a letter about an agent's events: one for all that comes from a seq on, and one for each event
// that has to be told alone, because others of its inbox were accepted or may leave earlier.
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';

/** What a letter is to tell of: from a seq on, up to one (both included) or to the end of the inbox. */
export interface Span {
  readonly from: number;
  readonly through: number | null;
}

/** The reminder of a letter; those of single events come after the agent's own in the order of ids. */
export function letterId(agent_id: string, seq?: number): string {
  return seq === undefined ? `letter:${agent_id}` : `letter:${agent_id}:${seq}`;
}

/** Sorts after all of an agent's letters. */
export const afterLetters = (agent_id: string): string => `letter:${agent_id};`;

/** Asks for a letter at a time; the same again moves it. */
export function remindLetter(agent_id: string, { from, through }: Span, at: number, now_ms: number): RemindEffect {
  const id = letterId(agent_id, through === null ? undefined : through);
  const input = { agent_id, from, due: at, ...(through === null ? {} : { through }) };
  return { do: 'remind', id, at, operation: 'mail.notify', input, now: false, created_at: now_ms };
}

type Kept = Pick<Row<'reminders'>, 'input'>;

const numberIn = ({ input }: Kept, name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' ? value : null;
};

/** What a reminder asks for. When it is due stands in it as well, since a node that takes it up moves its time. */
export function askedIn(reminder: Kept): Span & { readonly due: number } {
  return {
    from: numberIn(reminder, 'from') ?? 1,
    through: numberIn(reminder, 'through'),
    due: numberIn(reminder, 'due') ?? 0,
  };
}
