// An agent's tasks, sent and received, by their last update.
import { type Static, Type } from 'typebox';
import {
  sentIds,
  type TaskFilter,
  type TaskPage,
  takenIds,
  tasksSent,
  tasksTaken,
  type WholeTask,
} from '../../../db/queries/task.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { TaskShape, TaskStateShape, taskView } from '../../schemas/task.ts';
import { HandleInput, Id, nullable, PAGE_DEFAULT, Time } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { HISTORY_MAX, readParts, VIEW_MAX_BYTES } from '../../steps/task/find.ts';

/** The count stops here, since it reads each task. */
const TOTAL_MAX = 10_000;

const TaskList = namedObject('TaskList', 'a page of tasks', {
  tasks: Type.Array(TaskShape),
  next_cursor: nullable(Type.String(), 'null on the last page'),
  total: Type.Integer({
    minimum: 0,
    description: `the number on all pages, at most ${TOTAL_MAX}`,
  }),
});

const Input = Type.Object({
  conversation_id: Type.Optional(Id),
  state: Type.Optional(TaskStateShape),
  role: Type.Optional(Type.Enum(['sender', 'target'], { description: 'only those sent by you, or sent to you' })),
  counterparty_handle: Type.Optional(HandleInput),
  updated_after: Type.Optional(Time),
  history_length: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'default: 0' }),
  ),
  include_artifacts: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}_[0-9a-f-]{36}$', description: 'next_cursor of the previous page' }),
  ),
});

type Asked = Static<typeof Input>;

const SENT = { page: tasksSent, ids: sentIds };
const TAKEN = { page: tasksTaken, ids: takenIds };

/** The start of a page: after the task that the cursor names, at its time then. */
function startOf(cursor: string | undefined): Pick<TaskPage, 'before_at' | 'before_id'> {
  if (cursor === undefined) return { before_at: Number.MAX_SAFE_INTEGER, before_id: HIGHEST_ID };
  const [at = '', id = ''] = cursor.split('_');
  return { before_at: Number(at), before_id: id };
}

function newestFirst(a: WholeTask, b: WholeTask): number {
  return b.task.updated_at - a.task.updated_at || (a.task.id < b.task.id ? 1 : -1);
}

async function pageOf(read: Read, { role, limit = PAGE_DEFAULT, cursor }: Asked, filter: TaskFilter) {
  const sides = role === 'sender' ? [SENT] : role === 'target' ? [TAKEN] : [SENT, TAKEN];
  const asked = { ...filter, ...startOf(cursor), limit: limit + 1 };
  const [pages, counted] = await Promise.all([
    Promise.all(sides.map(({ page }) => read(page, asked))),
    Promise.all(sides.map(({ ids }) => read(ids, { ...filter, limit: TOTAL_MAX }))),
  ]);
  const found = pages.flat().sort(newestFirst);
  const rows = found.slice(0, limit);
  const last = rows.at(-1)?.task;
  const total = Math.min(
    TOTAL_MAX,
    counted.reduce((sum, { length }) => sum + length, 0),
  );
  return { rows, next_cursor: found.length > limit && last ? `${last.updated_at}_${last.id}` : null, total };
}

export const taskList = query({
  name: 'task.list',
  needed_by: 'clients of A2A',
  summary: 'List your tasks',
  description:
    'Those that your agent sent or received, last updated first. A task that is updated while you page through ' +
    'moves to the first page. Messages and artifacts only on request.',
  input: Input,
  output: TaskList,
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: ['invalid_request'],
  run: async (read, input, ctx) => {
    const me = actor(ctx);
    const { counterparty_handle, updated_after, history_length = 0, include_artifacts = false } = input;
    const counterpart =
      counterparty_handle === undefined ? null : await agentByHandle(read, counterparty_handle, ctx.now_ms);
    // An unknown handle is answered as an agent without common tasks.
    if (counterparty_handle !== undefined && !counterpart) return { tasks: [], next_cursor: null, total: 0 };
    const { rows, next_cursor, total } = await pageOf(read, input, {
      agent_id: me.id,
      state: input.state ?? '',
      conversation_id: input.conversation_id ?? '',
      counterpart_id: counterpart?.id ?? '',
      updated_after: updated_after === undefined ? 0 : Date.parse(updated_after),
      now_ms: ctx.now_ms,
    });
    const shown = { history: Math.min(history_length, HISTORY_MAX), artifacts: include_artifacts };
    // A page has the size limit of one task.
    const bytes_max = Math.floor(VIEW_MAX_BYTES / Math.max(1, rows.length));
    const tasks = await Promise.all(
      rows.map(async (whole) => {
        return taskView(whole, me.id, { ...(await readParts(read, whole.task.id, shown)), bytes_max });
      }),
    );
    return { tasks, next_cursor, total };
  },
});
