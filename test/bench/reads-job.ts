// Reads beside a raw echo: an inbox pull of 50 events, and a public registry page of 50 agents. The echo of a small
// body is the ceiling that the design names; beside it stands an echo of as many bytes as our answer has.
import { join } from 'node:path';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { inTurn, requestBytes } from './load.ts';
import { joining, type Member, members, openForFilling, told, write } from './population.ts';
import { measure, throughputRow } from './rounds.ts';

const AGENTS = 500;
const EVENTS = 50;
const CONNECTIONS = 64;
/** The echo's small body: as long as a message of the message job. */
const SMALL = JSON.stringify({ content: 'x'.repeat(180) });

async function fill(data_dir: string): Promise<Member[]> {
  const store = openForFilling(data_dir);
  const now_ms = Date.now();
  const all = members(AGENTS);
  await write(store, joining(all, now_ms));
  for (const member of all) await write(store, told(member, EVENTS, now_ms));
  await store.close();
  return all;
}

/** How many bytes a path answers, and whether it lists as many items as it should. */
async function sizeOf(server: Child, path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const text = await answer.text();
  const items: unknown = answer.ok ? JSON.parse(text) : null;
  const list = Array.isArray(items) ? items : (items as { events?: unknown[] } | null)?.events;
  if (list?.length !== EVENTS) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return text.length;
}

interface Read {
  readonly job: string;
  readonly path: string;
  readonly callers: readonly Record<string, string>[];
  readonly least: number;
}

async function beside(bench: Bench, echo: Child, ours: Child, read: Read): Promise<Row[]> {
  const [caller = {}] = read.callers;
  const bytes = await sizeOf(ours, read.path, caller);
  const name = read.job;
  const load = (target: Child, requests: readonly Buffer[]) => ({
    target,
    connections: CONNECTIONS,
    requests: inTurn(requests),
  });
  const got = await measure(bench, {
    echo: load(echo, [requestBytes('POST', '/', {}, SMALL)]),
    [name]: load(
      ours,
      read.callers.map((headers) => requestBytes('GET', read.path, headers)),
    ),
    'echo of as much': load(echo, [requestBytes('POST', '/', {}, 'x'.repeat(bytes))]),
  });
  const [mine = [], small = [], large = []] = [got[name], got.echo, got['echo of as much']];
  const note = `the answer has ${(bytes / 1_024).toFixed(1)} KiB`;
  return [
    throughputRow(name, mine, small, read.least, { against: 'echo', note }),
    throughputRow(`${name}, as many bytes`, mine, large, read.least, { against: 'echo' }),
  ];
}

export const readsJob: Job = {
  name: 'reads',
  about: 'inbox pull and registry page beside a raw echo',
  run: async (bench) => {
    bench.progress(0, `writing ${AGENTS} agents with ${EVENTS} events each`);
    const data_dir = join(bench.folder, 'data');
    const all = await fill(data_dir);
    const echo = await serve(bench, './echo-server.ts');
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DATA_DIR: data_dir };
    const ours = await serve(bench, './mesh-server.ts', env);
    const keys = all.map(({ key }) => ({ 'X-API-Key': key }));
    const inbox: Read = {
      job: `inbox pull of ${EVENTS}`,
      path: `/api/inbox?limit=${EVENTS}`,
      callers: keys,
      least: 0.4,
    };
    const registry: Read = {
      job: `registry page of ${EVENTS}`,
      path: `/api/registry?limit=${EVENTS}`,
      callers: [{}],
      least: 0.3,
    };
    return [...(await beside(bench, echo, ours, inbox)), ...(await beside(bench, echo, ours, registry))];
  },
};
