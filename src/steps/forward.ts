// Messages that were sent on to an agent's own A2A endpoint, and what follows of each: a task of theirs is looked after until it
// ends, its answer is posted once, and an end of ours is told them.
import { Type } from 'typebox';
import type { RemindEffect } from '../../db/effects.ts';
import type { AnswerColumn } from '../../db/schema/forward.ts';
import type { Row } from '../../db/schema/tables.ts';
import { lookPause, type RemoteAgent, type RemoteAnswer } from '../domain/task/remote.ts';
import { DAY_MS } from '../domain/time.ts';
import { Id } from '../schemas/wire.ts';
import { remind } from './reminder.ts';

type ForwardRow = Row<'forwards'>;

/** The call that posts an answer, and the one that looks after a task that is not done. */
export const SETTLE = { name: 'forward.settle', input: Type.Object({ event_id: Id }) } as const;
export const FOLLOW = { name: 'forward.follow', input: Type.Object({ event_id: Id }) } as const;

/** So long is remembered what the other end calls a conversation. */
export const FORWARD_LIFE_MS = 30 * DAY_MS;

/** How the endpoint of a forward is called. */
export function remoteOf({ url, dialect, binding, tenant }: ForwardRow): RemoteAgent {
  return { url, dialect, binding, tenant };
}

/** Asks for an answer to be posted. */
export function settleNow(event_id: string, now_ms: number): RemindEffect {
  return remind(SETTLE, { event_id }, { at: now_ms, key: event_id, now_ms });
}

/** Asks for a look at a task after so many; null when it is given up. */
export function followLater(event_id: string, looks: number, now_ms: number): RemindEffect | null {
  const pause_ms = lookPause(looks);
  return pause_ms === null ? null : remind(FOLLOW, { event_id }, { at: now_ms + pause_ms, key: event_id, now_ms });
}

/** What of an endpoint's answer is kept: what it calls things, and what it said. */
interface Kept extends Pick<ForwardRow, 'remote_task_id' | 'remote_context_id' | 'state'> {
  readonly answer: AnswerColumn | null;
}

/** What becomes of a forward by what the endpoint answered. */
export function keptOf(answer: RemoteAnswer): Kept {
  const nothing = { remote_task_id: null, remote_context_id: null, state: 'closed', answer: null } as const;
  if (answer.is === 'message') {
    const { parts, context_id: remote_context_id } = answer;
    if (parts.length === 0) return { ...nothing, remote_context_id };
    return { ...nothing, remote_context_id, state: 'answered', answer: { state: 'completed', parts } };
  }
  if (answer.is !== 'task') return nothing;
  const { task_id: remote_task_id, context_id: remote_context_id, state, parts } = answer;
  const names = { remote_task_id, remote_context_id };
  if (state === 'working') return { ...names, state: 'working', answer: null };
  return { ...names, state: 'answered', answer: { state, parts } };
}
