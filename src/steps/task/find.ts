// Finds a task by what its two sides call it: for its sender the id that it chose itself, else the service's. A task of others
// and one whose time is over are as absent as one that never was (rules.md 10).
import { artifactsOfTask, messagesOfTask, taskByClientId, taskById, wholeTask } from '../../../db/queries/task.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { isGone } from '../../domain/task/task.ts';
import { type TaskParts, type TaskView, taskView } from '../../schemas/task.ts';

/** Messages of a task that a read shows unless it says otherwise, and at most. */
export const HISTORY = 50;
export const HISTORY_MAX = 100;
/** Artifacts that a read shows. */
const ARTIFACTS_MAX = 50;
/** The most JSON in a read of both: the size by which a stream's reader may fall behind. */
export const VIEW_MAX_BYTES = 1_048_576;

/** A task that `sender_id` sent, or null. */
export async function sentTask(
  read: Read,
  sender_id: string,
  task_id: string,
  now_ms: number,
): Promise<Row<'tasks'> | null> {
  const task =
    (await read(taskByClientId, { sender_id, client_id: task_id })) ?? (await read(taskById, { id: task_id }));
  return task && task.sender_id === sender_id && !isGone(task, now_ms) ? task : null;
}

/** A task with `agent_id` as a side, or null. */
export async function partyTask(
  read: Read,
  agent_id: string,
  task_id: string,
  now_ms: number,
): Promise<Row<'tasks'> | null> {
  const sent = await sentTask(read, agent_id, task_id, now_ms);
  if (sent) return sent;
  const task = await read(taskById, { id: task_id });
  return task && task.target_id === agent_id && !isGone(task, now_ms) ? task : null;
}

/** How much of a task a read shows. */
export interface Shown {
  readonly history: number;
  readonly artifacts: boolean;
}

/** The messages and artifacts that a view of a task shows. */
export async function readParts(
  read: Read,
  task_id: string,
  { history, artifacts }: Shown,
): Promise<Omit<TaskParts, 'bytes_max'>> {
  const [said, made] = await Promise.all([
    history > 0 ? read.peek(messagesOfTask, { task_id, limit: history }) : [],
    artifacts ? read.peek(artifactsOfTask, { task_id, limit: ARTIFACTS_MAX }) : [],
  ]);
  return { messages: said, artifacts: made };
}

/** A task as one of its sides sees it. */
export async function readTask(
  read: Read,
  { id }: Pick<Row<'tasks'>, 'id'>,
  reader_id: string,
  shown: Shown,
): Promise<TaskView | null> {
  const whole = await read.peek(wholeTask, { id, limit: 1 });
  return whole && taskView(whole, reader_id, { ...(await readParts(read, id, shown)), bytes_max: VIEW_MAX_BYTES });
}
