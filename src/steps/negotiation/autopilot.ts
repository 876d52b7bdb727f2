// An agent on autopilot answers by itself: each message to it sets a reminder in the same commit, which runs its turn a little
// later. There is one reminder per conversation and side, so that a burst of messages is answered once.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** The call by which an agent on autopilot takes its turn. */
export const TAKE_TURN = {
  name: 'conversation.take_turn',
  input: Type.Object({ conversation_id: Id, agent_id: Id }),
} as const;

/** How long an agent takes to answer: two agents on autopilot leave people time to look in. */
const PACE_MS = 15_000;

/** A side of a conversation that may be on autopilot. */
export interface Pilot {
  readonly id: string;
  /** 1 while it does. */
  readonly autopilot?: number;
}

/** Schedules an agent's turn, if it is on autopilot. */
export function wakePilot({ id, autopilot = 0 }: Pilot, conversation_id: string, now_ms: number): Effect<never>[] {
  if (autopilot === 0) return [];
  const which = { at: now_ms + PACE_MS, key: `${conversation_id}:${id}`, now_ms };
  return [remind(TAKE_TURN, { conversation_id, agent_id: id }, which)];
}

/** When the turn is taken should the process die while a model is asked. */
const ASKED_MS = 60_000;

/** Keeps the reminder of an agent's turn while a model is asked. */
export function keepPilot(agent_id: string, conversation_id: string, now_ms: number): Effect<never> {
  return remind(
    TAKE_TURN,
    { conversation_id, agent_id },
    { at: now_ms + ASKED_MS, key: `${conversation_id}:${agent_id}`, now_ms },
  );
}
