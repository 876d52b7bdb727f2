// The service as the benchmark runs it: composed by main as in production, with two things that no setting offers: one
// commit per turn, and word of what happens inside (when a commit is on disk, memory after a collection).
import type { Effect } from '../../db/effects.ts';
import type { CommitNotice } from '../../db/store.ts';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { start } from '../../src/main.ts';
import type { Ask, Told } from './children.ts';
import { takeTurns, watchTurns } from './hold-watch.ts';
import { monotonicMs } from './monotonic.ts';
import { takeSpent, watchStages } from './stage-watch.ts';

const config = readConfig(process.env);
if (isConfigProblem(config)) throw new Error(config.problem);
if (process.env.BENCH_TELLS === 'stages') watchStages();
if (process.env.BENCH_TELLS === 'turns') watchTurns();
const { service, url, stop } = await start(config, { single_commits: process.env.BENCH_COMMITS === 'single' });
const { store, id } = service.world;

const tell = (told: Told): unknown => process.send?.(told);

if (process.env.BENCH_TELLS === 'commits') {
  store.onCommit(({ events }: CommitNotice) => {
    const at_ms = monotonicMs();
    // After the events have left, so that telling is not what they wait for.
    if (events.length > 0) setImmediate(() => tell({ told: 'committed', at_ms, events: events.length }));
  });
}

/** One turn that tells so many agents something at once, as a broadcast does. */
async function broadcast(agent_ids: readonly string[]): Promise<void> {
  const created_at = Date.now();
  const event = { do: 'event', handle: 'agent', event: 'test.ping', data: {}, subject_id: null } as const;
  const rest = { awaiting: false, respond_by: null, created_at } as const;
  const effects = agent_ids.map((to): Effect => ({ ...event, ...rest, id: id(), to }));
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
}

process.on('message', async (message: Ask) => {
  const started_ms = monotonicMs();
  if (message.ask === 'tell') await broadcast(message.agent_ids);
  else if (message.ask === 'turns') {
    // What was asked before has to be over, and the loop to have come round behind it.
    await Bun.sleep(5);
    tell({ told: 'done', started_ms, ended_ms: monotonicMs(), turns: takeTurns() });
    return;
  } else if (message.ask === 'spent') {
    tell({ told: 'done', started_ms, ended_ms: monotonicMs(), spent: takeSpent() });
    return;
  } else for (let i = 0; i < 3; i++) Bun.gc(true);
  tell({ told: 'done', started_ms, ended_ms: monotonicMs() });
});

process.on('SIGTERM', async () => {
  await stop();
  process.exit(0);
});

console.log(`listening on ${url}`);
