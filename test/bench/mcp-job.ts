// Tools over MCP: a message sent by tools/call beside the same message by REST, on one server; and the list of all tools.
import { join } from 'node:path';
import { fillFolder, HERE } from './checkout.ts';
import { serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { inTurn, type Requests, requestBytes, STAMPED_KEY, stamped } from './load.ts';
import { atRest } from './rest.ts';
import { figure, measure, throughputRow } from './rounds.ts';
import { CONTENT, fromAll, type Talk, talksOf } from './talks.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
/** A list is 200 KB, which a client on one core takes in no faster. */
const LIST_CONNECTIONS = 4;
const LIST_CPU_MAX_US = 5_000;
const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } as const;
/** The doors share what is kept for a repeated key, so that each has keys of its own. */
const BY_REST = { share: 0, shares: 1, run: 'rest-' } as const;
const REVISION = '2025-11-25';

function rpc(key: string, method: string, params: object): Buffer {
  const headers = { 'X-API-Key': key, 'MCP-Protocol-Version': REVISION, Accept: 'application/json, text/event-stream' };
  return requestBytes('POST', '/mcp', headers, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
}

/** Every agent in turn writes into its conversation, by the tool. */
function byTool(talks: readonly Talk[]): Requests {
  const all = talks.flatMap(({ id, sides }) => sides.map(({ key }) => ({ id, key })));
  const _meta = { 'meshwork/idempotencyKey': STAMPED_KEY };
  const call = (conversation_id: string) => ({
    name: 'mesh_send_message',
    arguments: { conversation_id, content: CONTENT },
    _meta,
  });
  return stamped(all.map(({ id, key }) => rpc(key, 'tools/call', call(id))));
}

/** Throws where a tool refuses: its answer is 200 too, and a run of refusals would look fast. */
async function expectSent(port: number, [talk]: readonly Talk[]): Promise<void> {
  const params = { name: 'mesh_send_message', arguments: { conversation_id: talk?.id, content: CONTENT } };
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': talk?.sides[0].key ?? '' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const text = await answer.text();
  if (!text.includes('"result"') || text.includes('"isError"')) throw new Error(`a message by tool: ${text}`);
}

async function run(bench: Bench): Promise<Row[]> {
  bench.progress(0, `writing ${AGENTS} agents`);
  const talks = talksOf(AGENTS);
  const data_dir = join(bench.folder, 'tools');
  await fillFolder(HERE, data_dir, talks);
  const target = await serve(bench, './mesh-server.ts', { ...ENV, DATA_DIR: data_dir });
  await expectSent(target.port, talks);
  const keys = talks.map(({ sides: [opener] }) => opener.key);
  const contenders = {
    rest: { target, connections: CONNECTIONS, requests: fromAll(talks, BY_REST) },
    tool: { target, connections: CONNECTIONS, requests: byTool(talks) },
    list: {
      target,
      connections: LIST_CONNECTIONS,
      requests: inTurn(keys.map((key) => rpc(key, 'tools/list', {}))),
    },
  };
  const got = await measure(bench, contenders, async () => {
    bench.progress(0, 'waiting for rest');
    await atRest(target);
  });
  const list_cpu_us = figure(got.list, 'cpu_us');
  return [
    throughputRow('message by tool', got.tool, got.rest, 0.7, { against: 'REST', judged: 'CPU' }),
    {
      job: 'list of all tools',
      ours: `${Math.round(figure(got.list, 'per_second'))}/s`,
      p50_ms: figure(got.list, 'p50_ms'),
      p99_ms: figure(got.list, 'p99_ms'),
      cpu_us: list_cpu_us,
      target: '≤ 5 ms of CPU',
      met: list_cpu_us <= LIST_CPU_MAX_US,
    },
  ];
}

export const mcpJob: Job = { name: 'mcp', about: 'a message by MCP tools/call beside REST, and tools/list', run };
