// A task as server-sent events: its updates after a number, then each as it is committed, up to its end. The id is the
// update's number, so that a disconnected reader can resume on any node (rules.md 10).
import { Type } from 'typebox';
import type { Encoded } from '../../../actors/stream.ts';
import { updatesAfter } from '../../../db/queries/task.ts';
import { actor } from '../../contract/context.ts';
import { stream } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { isEnded } from '../../domain/task/task.ts';
import { encodeReset, resumeFrom, resuming } from '../../schemas/resuming.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { encodeTaskUpdate, TaskId, taskUpdateView } from '../../schemas/task.ts';
import { partyTask } from '../../steps/task/find.ts';

export const taskFollow = stream({
  name: 'task.follow',
  summary: 'Stream a task',
  description:
    'Server-sent events for the sender and the receiver of the task: `id` is the number of the update, ' +
    '`event` one of `status`, `artifact` and `error` (it failed or was rejected), `data` the update. Replays updates after ' +
    '`after` or Last-Event-ID (which takes precedence), then stays open until the task ends, or the key or access token that opened ' +
    'it. It shows no agent as online. If your position is beyond the newest update, as after a restore, an event `reset` says so, ' +
    'and all updates follow.',
  input: Type.Object({ task_id: TaskId, ...resuming('number') }),
  output: Type.String({ description: 'text/event-stream' }),
  example: { task_id: SAMPLE.task_id },
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'stream_unavailable'],
  rest: [{ method: 'GET', path: '/a2a/stream/{task_id}', headers: { last_event_id: 'last-event-id' } }],
  no_tool: 'Tasks are for A2A clients; use mesh_start_conversation and mesh_send_message.',
  open: async (read, input, ctx, { watchRow, restored }) => {
    const me = actor(ctx);
    const task = await partyTask(read, me.id, input.task_id, ctx.now_ms);
    if (!task) return fault('not_found');
    const asked = resumeFrom(input);
    const after = asked > task.last_n ? 0 : asked;
    return (sink) => {
      if (asked > task.last_n) sink.write(encodeReset(restored.epoch, 0));
      // A reader that has all updates of an ended task gets the end of the stream.
      if (isEnded(task.state) && after >= task.last_n) {
        sink.close();
        return;
      }
      let final = Number.POSITIVE_INFINITY;
      const replay = async (from: number, limit: number): Promise<Encoded[]> => {
        const rows = await read(updatesAfter, { task_id: task.id, after: from, limit });
        const updates = rows.map((row) => taskUpdateView(task, row, me.id));
        final = updates.find((update) => update.final)?.n ?? final;
        return updates.map((update) => ({ seq: update.n, encoded: encodeTaskUpdate(update) }));
      };
      const reader = {
        write: (encoded: string, n: number) => {
          const written = sink.write(encoded);
          if (n === final) sink.close();
          return written;
        },
        waitForDrain: () => sink.waitForDrain(),
        close: () => sink.close(),
        onClose: (listener: () => void) => sink.onClose(listener),
      };
      watchRow({ table: 'tasks', id: task.id }, reader, replay, after);
    };
  },
});
