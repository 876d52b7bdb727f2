// An agent and its person as letters need them, read at once: whoever asks for a letter and whoever makes it look at the
// same facts, and with two thousand letters due each look-up counts.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { NotificationSettings } from '../../domain/inbox/notification-settings.ts';
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
  readonly settings: NotificationSettings;
  /** Up to which seq letters have told, and when the last one left; null before the first. */
  readonly mark: Pick<Row<'mail_marks'>, 'id' | 'version' | 'seen' | 'at'> | null;
  readonly hasRead: { agent(seq: number): boolean; person(seq: number): boolean };
  /** Whether the agent is connected, on this node or another. */
  readonly streaming: boolean;
  readonly asked: readonly AskedLetter[];
}

// The durable asking for a letter about an agent's events: one for all that comes from a seq on, and one for each event
// that has to be told alone, because others of its inbox were accepted or may leave earlier.

/** What a letter is to tell of: from a seq on, up to one (both included) or to the end of the inbox. */
export interface Span {
  readonly from: number;
  readonly through: number | null;
}

/** The call of a letter; `due` is when it is to be made, which a node that takes the reminder up does not move. */
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

/** Asks for a letter at a time; the same again moves it. */
export function remindLetter(agent_id: string, { from, through }: Span, at: number, now_ms: number): RemindEffect {
  const input = { agent_id, from, due: at, ...(through === null ? {} : { through }) };
  return remind(NOTIFY, input, { at, key: keyOf(agent_id, through), now_ms });
}

type Kept = Pick<Row<'reminders'>, 'input'>;

const numberAt = ({ input }: Kept, name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' ? value : null;
};

/** What a reminder asks for. When it is due stands in it as well, since a node that takes it up moves its time. */
export function readAsked(reminder: Kept): Span & { readonly due: number } {
  return {
    from: numberAt(reminder, 'from') ?? 1,
    through: numberAt(reminder, 'through'),
    due: numberAt(reminder, 'due') ?? 0,
  };
}
