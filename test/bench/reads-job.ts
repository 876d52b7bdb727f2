// Reads beside a raw echo: an inbox pull of 50 events, a public registry page of 50 agents, and agent cards. The echo of a small
// body is the ceiling that the design names; beside it stands an echo of as many bytes as our answer has.
import { join } from 'node:path';
import { compare } from './beside.ts';
import { type Checkout, HERE } from './checkout.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { inTurn, requestBytes } from './load.ts';
import { type Member, members } from './population.ts';
import { measure, throughputRow } from './rounds.ts';

const AGENTS = 500;
const EVENTS = 50;
/** Agents whose cards are read, each with so many listings; they are old, so that the registry's page shows none. */
const CARDS = 100;
const SKILLS = 5;
const CONNECTIONS = 64;
/** The echo's small body: as long as a message of the message job. */
const SMALL = JSON.stringify({ content: 'x'.repeat(180) });

/** Fills the database of a folder by a checkout's own sources. */
async function fill({ root }: Checkout, data_dir: string, all: readonly Member[]): Promise<void> {
  const from: typeof import('./population.ts') = await import(join(root, 'test/bench/population.ts'));
  const { joining, listing, openForFilling, told, write } = from;
  const store = openForFilling(data_dir);
  const now_ms = Date.now();
  await write(store, joining(all, now_ms));
  for (const member of all.slice(0, CARDS)) await write(store, listing(member, SKILLS, now_ms));
  for (const member of all) await write(store, told(member, EVENTS, now_ms));
  await store.close();
}

interface Request {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Read {
  readonly job: string;
  readonly requests: readonly Request[];
  /** What the answer lists, and how much of it there should be. */
  readonly listed: (answer: unknown) => unknown;
  readonly count: number;
  readonly least: number;
}

/** How many bytes the first request's answer has, and whether it lists as many items as it should. */
async function sizeOf(server: Child, { requests, listed, count }: Read): Promise<number> {
  const { path = '/', headers = {} } = requests[0] ?? {};
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const text = await answer.text();
  const list: unknown = answer.ok ? listed(JSON.parse(text)) : null;
  if (!Array.isArray(list) || list.length !== count) {
    throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  }
  return text.length;
}

const bytesOf = ({ requests }: Read): Buffer[] =>
  requests.map(({ path, headers }) => requestBytes('GET', path, headers));

async function besideEcho(bench: Bench, echo: Child, ours: Child, read: Read): Promise<Row[]> {
  const bytes = await sizeOf(ours, read);
  const name = read.job;
  const load = (target: Child, requests: readonly Buffer[]) => ({
    target,
    connections: CONNECTIONS,
    requests: inTurn(requests),
  });
  const got = await measure(bench, {
    echo: load(echo, [requestBytes('POST', '/', {}, SMALL)]),
    [name]: load(ours, bytesOf(read)),
    'echo of as much': load(echo, [requestBytes('POST', '/', {}, 'x'.repeat(bytes))]),
  });
  const [mine = [], small = [], large = []] = [got[name], got.echo, got['echo of as much']];
  const note = `the answer has ${(bytes / 1_024).toFixed(1)} KiB`;
  return [
    throughputRow(name, mine, small, read.least, { against: 'echo', judged: 'CPU', note }),
    throughputRow(`${name}, as many bytes`, mine, large, read.least, { against: 'echo', judged: 'CPU' }),
  ];
}

function readsOf(all: readonly Member[]): Read[] {
  return [
    {
      job: `inbox pull of ${EVENTS}`,
      requests: all.map(({ key }) => ({ path: `/api/inbox?limit=${EVENTS}`, headers: { 'X-API-Key': key } })),
      listed: (answer) => (answer as { events: unknown }).events,
      count: EVENTS,
      least: 0.4,
    },
    {
      job: `registry page of ${EVENTS}`,
      requests: [{ path: `/api/registry?limit=${EVENTS}`, headers: {} }],
      listed: (answer) => answer,
      count: EVENTS,
      least: 0.3,
    },
    {
      job: `agent card with ${SKILLS} listings`,
      requests: all
        .slice(0, CARDS)
        .map(({ handle }) => ({ path: `/.well-known/agent.json?handle=${handle}`, headers: {} })),
      listed: (answer) => (answer as { skills: unknown }).skills,
      count: SKILLS,
      least: 0.15,
    },
  ];
}

export const readsJob: Job = {
  name: 'reads',
  about: 'inbox pull, registry page and agent cards beside a raw echo',
  run: async (bench) => {
    bench.progress(0, `writing ${AGENTS} agents with ${EVENTS} events each`);
    const data_dir = join(bench.folder, 'data');
    const all = members(AGENTS);
    await fill(HERE, data_dir, all);
    const echo = await serve(bench, './echo-server.ts');
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DATA_DIR: data_dir };
    const ours = await serve(bench, './mesh-server.ts', env);
    const rows: Row[] = [];
    for (const read of readsOf(all)) rows.push(...(await besideEcho(bench, echo, ours, read)));
    return rows;
  },
  beside: (bench, here, other) => {
    const all = members(AGENTS);
    return compare(bench, here, other, {
      fill: (checkout, data_dir) => fill(checkout, data_dir, all),
      loads: Object.fromEntries(readsOf(all).map((read) => [read.job, () => inTurn(bytesOf(read))])),
    });
  },
};
