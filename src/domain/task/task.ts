// Tasks: requests between agents over the agent-to-agent protocol. End states are final, and open tasks are limited in number
// and in time (rules.md 10).

import { type Fault, fault, invalid } from '../fault.ts';
import { DAY_MS } from '../time.ts';
import { jsonBytes, type Part } from './part.ts';

/** The states in order; the last four are end states. Only an agent's own endpoint produces `input_required` and `rejected`. */
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

/** A stored message; its update holds the time. `role` is `user` for the task's sender. */
export interface TaskMessage {
  /** The author's id of the message, else that of the conversation. */
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

/** The ids of a forwarded task at an agent's endpoint. */
export interface RemoteTask {
  readonly [name: string]: string | null;
}

/** One answer ends all open tasks of a side in one commit, so their number is limited to what a commit can write without delaying others. */
export const OPEN_PER_CONVERSATION = 20;
/** Open tasks of one sender: as many as ten busy conversations hold, and a limit for abandoned ones. */
export const OPEN_PER_SENDER = 200;
/** Updates of one task, beyond which only its end is written, for endpoints that report progress each second. */
export const UPDATES_MAX = 500;
/** Metadata of a client are notes, not documents. */
const METADATA_MAX_BYTES = 4_096;
/** A task fails so long after its last message: agents may take days, but not a year. */
export const OPEN_MS = 30 * DAY_MS;
/** How long a task can be read after its end. */
export const KEPT_MS = 30 * DAY_MS;

/** Whether a state is an end state. */
export function isEnded(state: TaskState): boolean {
  return state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

/** Whether a task can no longer be read, also before its row is deleted. */
export function isGone({ expires_at }: { readonly expires_at: number | null }, now_ms: number): boolean {
  return expires_at !== null && expires_at <= now_ms;
}

/** The counter of an agent's open tasks. */
export function openTasksKey(sender_id: string): string {
  return `tasks:${sender_id}`;
}

/** 403 with `limit` for too many open tasks. */
export function openTasksFault(limit: number, where: string): Fault<'plan_limit'> {
  return fault('plan_limit', `You have ${limit} open tasks ${where}; wait for answers, or cancel some.`, {
    limit,
    resets_at: null,
  });
}

/** A conversation's counts of open tasks by sending side. */
export interface TaskCounts {
  readonly opener_tasks: number;
  readonly other_tasks: number;
}

/** Why a side can send no further task in a conversation, or null. */
export function taskRoomFault(counts: TaskCounts, by_opener: boolean): Fault<'plan_limit'> | null {
  const open = by_opener ? counts.opener_tasks : counts.other_tasks;
  return open < OPEN_PER_CONVERSATION ? null : openTasksFault(OPEN_PER_CONVERSATION, 'in this conversation');
}

/** The counts changed by so many tasks of a side. */
export function countTasks(counts: TaskCounts, by_opener: boolean, by: number): Partial<TaskCounts> {
  return by_opener
    ? { opener_tasks: Math.max(0, counts.opener_tasks + by) }
    : { other_tasks: Math.max(0, counts.other_tasks + by) };
}

/** The fault of a task's metadata, or null. */
export function metadataFault(metadata: object): Fault<'invalid_request'> | null {
  if (jsonBytes(metadata) <= METADATA_MAX_BYTES) return null;
  return invalid({ path: 'metadata', message: `Metadata have at most ${METADATA_MAX_BYTES} bytes as JSON.` });
}
