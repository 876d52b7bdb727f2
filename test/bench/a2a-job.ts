// A message of a task over A2A beside the same message over REST, each on a server of its own: the same key, Idempotency-Key and
// conversation; the task's own rows, and the door, are what the difference is. One side of each conversation writes, since the
// other's words would end its tasks.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fillFolder, HERE } from './checkout.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job } from './job.ts';
import { atRest } from './rest.ts';
import { measure, throughputRow } from './rounds.ts';
import { openersByRest, openersByTask, type Talk, talksOf } from './talks.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } as const;

/** JSON-RPC refuses under status 200: the tasks have to stand, and to go on. */
async function checkTasks({ port }: Child, talks: readonly Talk[]): Promise<void> {
  for (const { sides } of talks.slice(0, 20)) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tasks/get',
      params: { id: 'bench', historyLength: 1 },
    });
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': sides[0].key };
    const answer = await fetch(`http://127.0.0.1:${port}/a2a/rpc`, { method: 'POST', headers, body });
    const told = await answer.text();
    if (!told.includes('"state":"working"')) throw new Error(`a task does not stand: ${told}`);
  }
}

export const a2aJob: Job = {
  name: 'a2a',
  about: 'a message of a task by A2A beside the message POST of REST',
  run: async (bench: Bench) => {
    bench.progress(0, `writing ${AGENTS} agents`);
    const [rest, tasks] = [join(bench.folder, 'rest'), join(bench.folder, 'tasks')];
    const talks = talksOf(AGENTS);
    await fillFolder(HERE, rest, talks);
    cpSync(rest, tasks, { recursive: true });
    const byRest = await serve(bench, './mesh-server.ts', { ...ENV, DATA_DIR: rest });
    const byTask = await serve(bench, './mesh-server.ts', { ...ENV, DATA_DIR: tasks });
    const contenders = {
      REST: { target: byRest, connections: CONNECTIONS, requests: openersByRest(talks) },
      A2A: { target: byTask, connections: CONNECTIONS, requests: openersByTask(talks) },
    };
    const got = await measure(bench, contenders, async () => {
      bench.progress(0, 'waiting for rest');
      for (const server of [byRest, byTask]) await atRest(server);
    });
    await checkTasks(byTask, talks);
    return [throughputRow('message by A2A tasks/send', got.A2A, got.REST, 0.7, { against: 'REST', judged: 'rate' })];
  },
};
