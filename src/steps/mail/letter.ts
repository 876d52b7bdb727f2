// The facts about an agent and its person that letters need, read at once: the request for a letter and its making use the
// same facts, and with two thousand letters due each read counts.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { NotificationSettings } from '../../domain/inbox/notification-settings.ts';
import type { Language } from '../../domain/language.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, reminderId } from '../reminder.ts';

export interface AskedLetter extends Span {
  /** The id of its reminder. */
  readonly id: string;
  readonly version: number;
  readonly due: number;
}

export interface LetterFacts {
  readonly agent: Pick<Row<'agents'>, 'id' | 'account_id' | 'handle' | 'display_name' | 'wake' | 'deactivated_at'>;
  /** The person's address; null for none. */
  readonly to: string | null;
  /** The person's language; null where none is known. */
  readonly language: Language | null;
  readonly settings: NotificationSettings;
  /** The last seq that letters have covered, and when the last one left; null before the first. */
  readonly mark: Pick<Row<'mail_marks'>, 'id' | 'version' | 'seen' | 'at'> | null;
  readonly hasRead: { agent(seq: number): boolean; person(seq: number): boolean };
  /** Whether the agent is connected, on this node or another. */
  readonly streaming: boolean;
  readonly asked: readonly AskedLetter[];
}

// The durable requests for letters about an agent's events: one for all events from a seq on, and one for each event that needs
// a letter of its own, because other letters about its inbox were accepted or may leave earlier.

/** The events that a letter covers: from one seq to another (both included) or to the end of the inbox. */
export interface Span {
  readonly from: number;
  readonly through: number | null;
}

/** The call that makes a letter; `due` is its time, which stays the same when another node takes over the reminder. */
export const NOTIFY = {
  name: 'mail.notify',
  input: Type.Object({
    agent_id: Id,
    from: Type.Integer({ minimum: 1 }),
    through: Type.Optional(Type.Integer({ minimum: 1 })),
    due: Type.Integer(),
  }),
} as const;

const keyOf = (agent_id: string, through: number | null): string =>
  through === null ? agent_id : `${agent_id}:${through}`;

/** The reminder of a letter; those of single events come after the agent's own in the order of ids. */
export function letterId(agent_id: string, through: number | null): string {
  return reminderId(NOTIFY, keyOf(agent_id, through));
}

/** Requests a letter at a time; the same request again moves it. */
export function remindLetter(agent_id: string, { from, through }: Span, at: number, now_ms: number): RemindEffect {
  const input = { agent_id, from, due: at, ...(through === null ? {} : { through }) };
  return remind(NOTIFY, input, { at, key: keyOf(agent_id, through), now_ms });
}

type Kept = Pick<Row<'reminders'>, 'input'>;

const numberAt = ({ input }: Kept, name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' ? value : null;
};

/** What a reminder requests. Its input holds the due time too, as a node that takes over the reminder moves the row's time. */
export function readAsked(reminder: Kept): Span & { readonly due: number } {
  return {
    from: numberAt(reminder, 'from') ?? 1,
    through: numberAt(reminder, 'through'),
    due: numberAt(reminder, 'due') ?? 0,
  };
}
