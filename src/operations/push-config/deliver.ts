// Delivers the updates of a task to one of its push configs, in order and each at least once. It runs as a background task, since a
// slow receiver must not delay other reminders; meanwhile the reminder is due again a minute later, so that a crash loses no
// update, and repeats at most the last one under its id.
import { Type } from 'typebox';
import { count, type Effect, patch, remove } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { pushConfigById } from '../../../db/queries/push-config.ts';
import { artifactsOfTask, taskById, updatesAfter, type WholeTask, wholeTask } from '../../../db/queries/task.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { attemptLuck } from '../../delivery/attempt.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { DEADLINE_MS, isAccepted, retryPause } from '../../domain/inbox/webhook.ts';
import { deliveryId, PUSHES_A_MINUTE, pushesKey, pushHeaders } from '../../domain/task/push.ts';
import { isGone } from '../../domain/task/task.ts';
import { taskUpdateView, taskView } from '../../schemas/task.ts';
import { countPushConfigs, DELIVER, openPushSecret } from '../../steps/push-config.ts';
import { remind, unremind } from '../../steps/reminder.ts';

const AGAIN_MS = 60_000;
/** While requests keep the service busy, deliveries are postponed by this. */
const BUSY_MS = 1_000;
/** Only the status of a receiver's answer is used. */
const BYTES_MAX = 65_536;
/** Artifacts sent at a time. */
const TOLD_BYTES_MAX = 262_144;
/** Updates read at a time, and artifacts sent. */
const SLICE = 50;
const GONE = 410;

type Config = Row<'push_configs'>;

interface Made {
  readonly accepted: boolean;
  readonly gone: boolean;
  readonly retry_after: string | undefined;
  readonly at: number;
}

/** The task after an update, without earlier messages. */
async function toldOf(read: Read, whole: WholeTask, config: Config, update: Row<'task_updates'>) {
  const { task } = whole;
  const artifacts = await read(artifactsOfTask, { task_id: task.id, limit: SLICE });
  const then = artifacts.filter(({ n }) => n <= update.n);
  const view = taskView(whole, config.agent_id, { messages: [], artifacts: then, bytes_max: TOLD_BYTES_MAX });
  const told = taskUpdateView(task, update, config.agent_id);
  const { state, message: status_message, at: updated_at, n: last_n } = told;
  return { task: { ...view, state, status_message, updated_at, last_n }, update: told };
}

async function deliverOne(
  ctx: FlowCtx,
  { http, clock, speech }: FlowPorts,
  whole: WholeTask,
  config: Config,
  update: Row<'task_updates'>,
  gone: AbortSignal,
): Promise<Made> {
  const { task, update: told } = await toldOf(ctx.read, whole, config, update);
  const reader = whole.task.sender_id === config.agent_id ? whole.sender_handle : whole.target_handle;
  const body = speech.told(config.dialect, reader, task, told);
  const secret = openPushSecret(ctx.secrets.seal_key, config);
  const headers = pushHeaders(config.dialect, deliveryId(config.config_id, update.n), secret);
  const request = { method: 'POST', url: config.url, headers, body, signal: gone } as const;
  const answer = await http.request({ ...request, deadline_ms: DEADLINE_MS, bytes_max: BYTES_MAX });
  const taken = isAccepted(answer.status) && (answer.ok || answer.reason === 'too_large');
  const retry_after = answer.ok ? answer.headers['retry-after'] : undefined;
  return { accepted: taken, gone: answer.status === GONE, retry_after, at: clock.now() };
}

/** Retries a failed delivery with growing pauses, and ends after the last. */
function failed(config: Config, made: Made): Effect<never>[] {
  const { id, task_id } = config;
  const failures = config.failures + 1;
  const luck = attemptLuck({ webhook_id: id, event_id: task_id, at: made.at, number: failures });
  const pause_ms = made.gone ? null : retryPause(failures, luck, made.retry_after);
  if (pause_ms === null) {
    return [remove('push_configs', config), countPushConfigs(task_id, -1) as Effect<never>, unremind(DELIVER, id)];
  }
  const again = remind(DELIVER, { id }, { at: made.at + pause_ms, key: id, now_ms: made.at });
  return [patch('push_configs', config, { failures }), again];
}

/** Records an attempt; the reply says whether the next one may follow. */
async function settle(read: Read, id: string, n: number, made: Made): Promise<Decision<boolean>> {
  const config = await read(pushConfigById, { id });
  // The config was deleted, or another node has delivered it.
  if (config?.n !== n - 1) return { reply: false };
  if (!made.accepted) return { reply: false, effects: failed(config, made) };
  const task = await read(taskById, { id: config.task_id });
  const done = task === null || task.last_n <= n;
  const effects = [patch('push_configs', config, { n, failures: 0 }), ...(done ? [unremind(DELIVER, id)] : [])];
  return { reply: !done, effects };
}

/** Counts a delivery; false where the account has reached its limit of this minute, and the rest waits for the standing reminder. */
async function mayDeliver(ctx: FlowCtx, { clock }: FlowPorts, { agent_id }: Config, host: string): Promise<boolean> {
  const outcome = await ctx.turn({
    agent_id,
    attempt: async (read): Promise<Decision<boolean, 'rate_limited'>> => {
      const agent = await read.peek(agentById, { id: agent_id });
      if (!agent) return { reply: false };
      const { key, ends_at } = pushesKey(agent.account_id, host, clock.now());
      return { reply: true, effects: [count(key, PUSHES_A_MINUTE, fault('rate_limited'), ends_at)] };
    },
  });
  return !isFault(outcome) && outcome.reply;
}

/** Delivers all pending updates, until one fails. */
async function deliverAll(
  ctx: FlowCtx,
  ports: FlowPorts,
  { id, host }: { readonly id: string; readonly host: string },
  gone: AbortSignal,
): Promise<void> {
  for (;;) {
    const config = await ctx.read(pushConfigById, { id });
    const whole = config && (await ctx.read(wholeTask, { id: config.task_id, limit: 1 }));
    if (!config || !whole) return;
    const updates = await ctx.read(updatesAfter, { task_id: config.task_id, after: config.n, limit: SLICE });
    if (updates.length === 0) return;
    for (const update of updates) {
      if (!(await mayDeliver(ctx, ports, config, host))) return;
      const made = await deliverOne(ctx, ports, whole, config, update, gone);
      if (gone.aborted) return;
      const outcome = await ctx.turn({
        agent_id: config.agent_id,
        attempt: (read) => settle(read, id, update.n, made),
      });
      if (isFault(outcome)) throw new Error(`a push result could not be stored: ${outcome.fault}`);
      if (!outcome.reply) return;
    }
  }
}

export const pushConfigDeliver = flow({
  ...DELIVER,
  summary: 'Deliver the updates of a task to a push config',
  output: Type.Object({ begun: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  run: async ({ id }, ctx, ports) => {
    const { now_ms } = ctx;
    const config = await ctx.read(pushConfigById, { id });
    const task = config && (await ctx.read(taskById, { id: config.task_id }));
    const host = config && URL.parse(config.url)?.host;
    if (!task || !host || isGone(task, now_ms) || config.n >= task.last_n) return { reply: { begun: false } };
    const may = ports.mayPush();
    const again = remind(DELIVER, { id }, { at: now_ms + (may ? AGAIN_MS : BUSY_MS), key: id, now_ms });
    await ctx.turn({ agent_id: config.agent_id, attempt: async () => ({ reply: null, effects: [again] }) });
    if (!may) return { reply: { begun: false } };
    const work = (gone: AbortSignal): Promise<void> => deliverAll(ctx, ports, { id, host }, gone);
    ports.tasks.run(again.id, { hosts: [host], deadline_ms: AGAIN_MS, work });
    return { reply: { begun: true } };
  },
});
