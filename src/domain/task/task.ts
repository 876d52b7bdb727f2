// Tasks: what one agent asks of another over the agent-to-agent protocol, from when it is sent to its end. The rule kept here
// is that an end is final, and that what is open is bounded in number and in time (rules.md 10).

import { type Fault, fault, invalid } from '../fault.ts';
import { DAY_MS } from '../time.ts';
import { jsonBytes, type Part } from './part.ts';

/** The states, as they may follow each other: the last four are ends. The service itself produces no `input_required` and no
 * `rejected`; an agent's own endpoint may say them. */
export const TASK_STATES = [
  'submitted',
  'working',
  'input_required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;

export type TaskState = (typeof TASK_STATES)[number];

/** A message as it is kept; when it was sent its update says. `role` is `user` for whoever sent the task. */
export interface TaskMessage {
  /** As its writer called it, else as the conversation does. */
  readonly message_id: string;
  readonly role: 'user' | 'agent';
  /** The writer's handle at that time. */
  readonly sender: string;
  readonly parts: readonly Part[];
}

export interface Artifact {
  readonly artifact_id: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly Part[];
}

/** The dialects of the protocol in which a task may be sent. */
export const DIALECTS = ['0.2', '0.3', '1.0'] as const;

export type Dialect = (typeof DIALECTS)[number];

/** How the endpoint of an agent calls a task that was handed on to it. */
export interface RemoteTask {
  readonly [name: string]: string | null;
}

/** One answer ends all open tasks of a side in one commit, so that there may not be more of them than a commit writes without
 * holding others up. */
export const OPEN_PER_CONVERSATION = 20;
/** Open tasks of one sender: as many as ten busy conversations hold, and a bound for what one agent leaves lying about. */
export const OPEN_PER_SENDER = 200;
/** Updates of one task, beyond which only its end is written: an endpoint that tells of each second of an hour has told
 * enough. */
export const UPDATES_MAX = 500;
/** What a client ties to a task is a note, not a document. */
const METADATA_MAX_BYTES = 4_096;
/** A task ends as failed so long after the last word about it: agents may take days, and nobody waits for a year. */
export const OPEN_MS = 30 * DAY_MS;
/** So long after its end a task can be read. */
export const KEPT_MS = 30 * DAY_MS;

/** Whether a task in this state takes nothing more. */
export function isEnded(state: TaskState): boolean {
  return state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

/** Whether a task can no longer be read, whether or not its row has gone yet. */
export function isGone({ expires_at }: { readonly expires_at: number | null }, now_ms: number): boolean {
  return expires_at !== null && expires_at <= now_ms;
}

/** The counter of an agent's open tasks. */
export function openTasksKey(sender_id: string): string {
  return `tasks:${sender_id}`;
}

/** 403 with `limit`: there are as many open tasks as there may be. */
export function openTasksFault(limit: number, where: string): Fault<'plan_limit'> {
  return fault('plan_limit', `You have ${limit} open tasks ${where}; wait for answers, or cancel some.`, {
    limit,
    resets_at: null,
  });
}

/** The part of a conversation that counts the open tasks that each side sent. */
export interface TaskCounts {
  readonly opener_tasks: number;
  readonly other_tasks: number;
}

/** Why a side can send no further task in a conversation, or null when it can. */
export function taskRoomFault(counts: TaskCounts, by_opener: boolean): Fault<'plan_limit'> | null {
  const open = by_opener ? counts.opener_tasks : counts.other_tasks;
  return open < OPEN_PER_CONVERSATION ? null : openTasksFault(OPEN_PER_CONVERSATION, 'in this conversation');
}

/** The counts with so many tasks of a side more, or fewer. */
export function countTasks(counts: TaskCounts, by_opener: boolean, by: number): Partial<TaskCounts> {
  return by_opener
    ? { opener_tasks: Math.max(0, counts.opener_tasks + by) }
    : { other_tasks: Math.max(0, counts.other_tasks + by) };
}

/** The refusal of a task's metadata, or null when they are fine. */
export function metadataFault(metadata: object): Fault<'invalid_request'> | null {
  if (jsonBytes(metadata) <= METADATA_MAX_BYTES) return null;
  return invalid({ path: 'metadata', message: `Metadata have at most ${METADATA_MAX_BYTES} bytes as JSON.` });
}
