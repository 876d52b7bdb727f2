// The answers of the task operations, in the protocol's names.
import type { TaskUpdateView, TaskView } from '../../schemas/task.ts';

/** An object as JSON has it. */
/** A task as one of its sides sees it. */
export type Task = TaskView;
export type TaskMessage = Task['history'][number];
export type Artifact = Task['artifacts'][number];
export type Part = TaskMessage['parts'][number];
export type TaskState = Task['state'];
export type TaskUpdate = TaskUpdateView;
/** A push config of a task. */
export interface PushConfig {
  readonly id: string;
  readonly task_id: string;
  readonly url: string;
  readonly token: string | null;
  readonly authentication: { readonly scheme: string; readonly credentials?: string } | null;
}
