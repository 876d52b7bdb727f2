// Which operation an answer performs, by the event's kind and the action. An answer through the inbox is that very
// operation, so it keeps the same rules, effects and refusals as its own route.
import type { Static, TSchema } from 'typebox';
import type { Decision, InboxEvent, Read } from '../../../db/store.ts';
import { matchFeedback } from '../match/feedback.ts';
import type { Command, Ctx } from '../operation.ts';

/** What the caller answered with. */
export interface Given {
  readonly action: string;
  readonly note?: string;
  readonly reason?: string;
  /** What the action needs beside its name, not yet validated. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the operations below may refuse an answer with. */
export const ACTION_FAULTS: typeof matchFeedback.faults = matchFeedback.faults;
export type ActionFault = (typeof ACTION_FAULTS)[number];

/** Loads what the action's operation needs, and hands back its decision. */
export type Perform = (
  read: Read,
  event: InboxEvent,
  given: Given,
  ctx: Ctx,
) => Promise<() => Decision<unknown, ActionFault>>;

function by<I extends TSchema, O extends TSchema, C extends ActionFault, L>(
  operation: Command<I, O, C, L>,
  inputOf: (event: InboxEvent, given: Given) => Static<I>,
): Perform {
  return async (read, event, given, ctx) => {
    const input = inputOf(event, given);
    const state = await operation.load(read, input, ctx);
    return () => operation.decide(state, input, ctx);
  };
}

const feedback = by(matchFeedback, ({ subject_id }, { action, reason, note }) => ({
  match_id: subject_id ?? '',
  action,
  reason,
  note,
}));

const PERFORM: Readonly<Record<string, Readonly<Record<string, Perform>>>> = {
  'match.created': { interested: feedback, not_a_fit: feedback, saved: feedback },
};

/** How an action on an event of this kind is performed; null when nothing performs it. */
export function performerOf(kind: string, action: string): Perform | null {
  const actions = Object.hasOwn(PERFORM, kind) ? PERFORM[kind] : undefined;
  return (actions && Object.hasOwn(actions, action) && actions[action]) || null;
}
