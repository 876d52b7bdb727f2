// Follows a task that an agent's own A2A endpoint has not completed: polls its state with growing pauses, and tells the endpoint
// when the task ends here. A poll is a background task; the reminder stands again until it returns, so that a crash loses no poll.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { forwardById } from '../../../db/queries/forward.ts';
import { taskById } from '../../../db/queries/task.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { DEADLINE_MS } from '../../domain/inbox/webhook.ts';
import { type RemoteAnswer, TASK_NOT_FOUND } from '../../domain/task/remote.ts';
import { isEnded } from '../../domain/task/task.ts';
import { FOLLOW, followLater, keptOf, remoteOf, settleNow } from '../../steps/forward.ts';
import { remind, unremind } from '../../steps/reminder.ts';
import { endTask } from '../../steps/task/end.ts';

/** A task may come back with its whole history. */
const BYTES_MAX = 1_048_576;
const AGAIN_MS = 60_000;
const GIVEN_UP = 'The agent’s own endpoint did not finish the task in time, or no longer knows it.';

type Forward = Row<'forwards'>;

interface Looked {
  readonly forward: Forward;
  readonly task: Row<'tasks'> | null;
}

/** A forward that still needs work; null when it needs none. */
async function load(read: Read, event_id: string): Promise<Looked | null> {
  const forward = await read(forwardById, { id: event_id });
  if (!forward || (forward.state !== 'working' && forward.state !== 'waiting')) return null;
  return { forward, task: forward.task_id === null ? null : await read(taskById, { id: forward.task_id }) };
}

/** Whether the task has ended here, so that its end at the endpoint no longer matters. */
function isOver({ forward, task }: Looked): boolean {
  return forward.task_id !== null && (task === null || isEnded(task.state));
}

function close({ id, version }: Forward): Effect<never>[] {
  return [patch('forwards', { id, version }, { state: 'closed' }), unremind(FOLLOW, id)];
}

function decide(ctx: Ctx, { forward, task }: Looked, answer: RemoteAnswer): Decision<null> {
  const { id, looks } = forward;
  const kept = keptOf(answer);
  const gone = answer.is === 'refused' && answer.code === TASK_NOT_FOUND;
  if (kept.state === 'answered') {
    const set = { ...kept, looks: looks + 1 };
    return { reply: null, effects: [patch('forwards', forward, set), unremind(FOLLOW, id), settleNow(id, ctx.now_ms)] };
  }
  const next = gone ? null : followLater(id, looks + 1, ctx.now_ms);
  if (!next) {
    const ended = task ? endTask(ctx, task, null, GIVEN_UP).effects : [];
    return { reply: null, effects: [...ended, ...close(forward)] };
  }
  return { reply: null, effects: [patch('forwards', forward, { looks: looks + 1 }), next] };
}

/** One poll, and its effects; a task canceled here is canceled at the endpoint. */
async function look(ctx: FlowCtx, ports: FlowPorts, looked: Looked, gone: AbortSignal): Promise<void> {
  const { http, clock, speech } = ports;
  const { forward, task } = looked;
  const to = remoteOf(forward);
  const remote_id = forward.remote_task_id ?? '';
  const canceled = isOver(looked);
  const call = canceled ? speech.cancel(to, remote_id) : speech.look(to, remote_id);
  const answer = await http.request({ ...call, deadline_ms: DEADLINE_MS, bytes_max: BYTES_MAX, signal: gone });
  if (gone.aborted) return;
  const said: RemoteAnswer = answer.ok ? speech.read(to, answer.status, answer.body) : { is: 'unreadable' };
  const outcome = await ctx.turn({
    agent_id: forward.agent_id,
    attempt: async (read) => {
      const now = await load(read, forward.id);
      if (!now) return { reply: null };
      if (!isOver(now)) return decide({ ...ctx, now_ms: clock.now() }, now, canceled ? { is: 'unreadable' } : said);
      // It ended here during the poll: the next poll tells the endpoint.
      if (!canceled && task !== null) return { reply: null };
      return { reply: null, effects: close(now.forward) };
    },
  });
  if (isFault(outcome)) throw new Error(`the check of a task could not be stored: ${outcome.fault}`);
}

export const forwardFollow = flow({
  ...FOLLOW,
  summary: 'Follow a task at an agent’s own endpoint',
  output: Type.Object({ looked: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  run: async ({ event_id }, ctx, ports) => {
    const looked = await load(ctx.read, event_id);
    const host = looked && URL.parse(looked.forward.url)?.host;
    if (!looked || !host || looked.forward.remote_task_id === null) return { reply: { looked: false } };
    // The agent answered in another way, or the task failed: the endpoint needs no word.
    if (isOver(looked) && looked.task?.state !== 'canceled') {
      const { agent_id } = looked.forward;
      await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: close(looked.forward) }) });
      return { reply: { looked: false } };
    }
    const { now_ms } = ctx;
    const again = remind(FOLLOW, { event_id }, { at: now_ms + AGAIN_MS, key: event_id, now_ms });
    await ctx.turn({ agent_id: looked.forward.agent_id, attempt: async () => ({ reply: null, effects: [again] }) });
    const work = (gone: AbortSignal): Promise<void> => look(ctx, ports, looked, gone);
    ports.tasks.run(again.id, { hosts: [host], deadline_ms: AGAIN_MS, looks: true, work });
    return { reply: { looked: true } };
  },
});
