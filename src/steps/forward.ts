// Messages forwarded to an agent's own A2A endpoint, and their course: the remote task is polled until it ends, its answer is posted
// once, and an end on our side is sent to it.
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

/** How long the endpoint's name of a conversation is stored. */
export const FORWARD_LIFE_MS = 30 * DAY_MS;

/** How the endpoint of a forward is called. */
export function remoteOf({ url, dialect, binding, tenant }: ForwardRow): RemoteAgent {
  return { url, dialect, binding, tenant };
}

/** Asks for an answer to be posted. */
export function settleNow(event_id: string, now_ms: number): RemindEffect {
  return remind(SETTLE, { event_id }, { at: now_ms, key: event_id, now_ms });
}

/** Schedules the next poll after `looks` of them; null to give up. */
export function followLater(event_id: string, looks: number, now_ms: number): RemindEffect | null {
  const pause_ms = lookPause(looks);
  return pause_ms === null ? null : remind(FOLLOW, { event_id }, { at: now_ms + pause_ms, key: event_id, now_ms });
}

/** The stored part of an endpoint's answer: its ids and its content. */
interface Kept extends Pick<ForwardRow, 'remote_task_id' | 'remote_context_id' | 'state'> {
  readonly answer: AnswerColumn | null;
}

/** The state of a forward after the endpoint's answer. */
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
