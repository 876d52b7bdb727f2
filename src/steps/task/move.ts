// Moves a task on: its updates, its row and, at its end, what it was counted in. All that changes a task comes through here,
// so that updates have no gaps and an end is final. The task is as the turn read it: a commit in between makes the turn read
// and decide again.
import { apply, count, type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { assert } from '../../domain/assert.ts';
import { type Code, fault } from '../../domain/fault.ts';
import {
  type Artifact,
  countTasks,
  isEnded,
  KEPT_MS,
  openTasksKey,
  type TaskMessage,
  type TaskState,
  UPDATES_MAX,
} from '../../domain/task/task.ts';
import { pushMove } from '../push-config.ts';

/** A step of a task: artifacts, if any, then its state with a message, if any. */
export interface TaskStep {
  readonly state: TaskState;
  readonly message?: TaskMessage;
  readonly artifacts?: readonly Artifact[];
  /** The id of the update of the state; a new one unless said. */
  readonly update_id?: string;
}

type UpdateRow = Row<'task_updates'>;

/** A moved task: its new row, its updates, oldest first, and the effects. */
export interface TaskMove<C extends Code = never> {
  readonly task: Row<'tasks'>;
  readonly updates: readonly UpdateRow[];
  readonly effects: readonly Effect<C>[];
}

/** The updates of steps that follow `last_n`. */
function updatesOf(ctx: Ctx, task_id: string, last_n: number, steps: readonly TaskStep[]): UpdateRow[] {
  const rows: UpdateRow[] = [];
  const row = (id: string, more: Pick<UpdateRow, 'kind' | 'state' | 'message' | 'artifact'>): void => {
    rows.push({ id, task_id, n: last_n + rows.length + 1, created_at: ctx.now_ms, ...more });
  };
  for (const { state, message = null, artifacts = [], update_id } of steps) {
    // An artifact comes while the task is still on its way.
    const meanwhile = isEnded(state) ? 'working' : state;
    for (const artifact of artifacts) row(ctx.id(), { kind: 'artifact', state: meanwhile, message: null, artifact });
    row(update_id ?? ctx.id(), { kind: 'status', state, message, artifact: null });
  }
  return rows;
}

/** The columns of the task's row after its steps. */
function standing(ctx: Ctx, updates: readonly UpdateRow[]) {
  const last = updates.at(-1);
  assert(last?.kind === 'status', 'a task is moved by a step');
  const { n, state } = last;
  const expires_at = isEnded(state) ? ctx.now_ms + KEPT_MS : null;
  return { state, last_n: n, status_n: n, updated_at: ctx.now_ms, expires_at };
}

type NewTask = Omit<Row<'tasks'>, 'state' | 'last_n' | 'status_n' | 'updated_at' | 'expires_at' | 'version'>;

/** A task that begins, and may end at once. Its sender's count and its conversation's are the caller's. */
export function beginTask(ctx: Ctx, begun: NewTask, steps: readonly TaskStep[]): TaskMove<'conflict'> {
  const updates = updatesOf(ctx, begun.id, 0, steps);
  const task = { ...begun, ...standing(ctx, updates), version: 1 };
  return {
    task,
    updates,
    effects: [
      // Another send may have taken the id that its sender chose for it: then that one is continued.
      insert('tasks', task, fault('conflict')),
      ...updates.map((row) => insert('task_updates', row)),
    ],
  };
}

/** Counts one open task of a sender less; a decrement is never refused. */
function uncountSent(sender_id: string): Effect<never> {
  return count<never>(openTasksKey(sender_id), Number.MAX_SAFE_INTEGER, fault('conflict') as never, null, -1);
}

/**
 * The task moved by a step, without its place in its conversation's count. Beyond `UPDATES_MAX` nothing but an end is written.
 * Throws for a task that has ended.
 */
export function stepTask(ctx: Ctx, task: Row<'tasks'>, step: TaskStep): TaskMove {
  assert(!isEnded(task.state), 'a task that has ended is not moved');
  const ends = isEnded(step.state);
  if (!ends && task.last_n >= UPDATES_MAX) return { task, updates: [], effects: [] };
  const updates = updatesOf(ctx, task.id, task.last_n, [step]);
  const set = standing(ctx, updates);
  return {
    task: { ...task, ...set },
    updates,
    effects: [
      patch('tasks', task, set),
      ...updates.map((row) => insert('task_updates', row)),
      ...(ends ? [uncountSent(task.sender_id)] : []),
      ...pushMove(task, ctx.now_ms),
    ],
  };
}

/** Takes ended tasks out of their conversation's count of those that are open. */
function uncountTasks(conversation_id: string, tasks: readonly Pick<Row<'tasks'>, 'sender_id'>[]): Effect<never>[] {
  if (tasks.length === 0) return [];
  const change = (now: Row<'conversations'>) => {
    const opened = tasks.filter(({ sender_id }) => sender_id === now.opener_id).length;
    return { ...countTasks(now, true, -opened), ...countTasks(now, false, opened - tasks.length) };
  };
  return [apply('conversations', conversation_id, change)];
}

export function moveTask(ctx: Ctx, task: Row<'tasks'>, step: TaskStep): TaskMove {
  const moved = stepTask(ctx, task, step);
  if (!isEnded(step.state)) return moved;
  return { ...moved, effects: [...moved.effects, ...uncountTasks(task.conversation_id, [task])] };
}
