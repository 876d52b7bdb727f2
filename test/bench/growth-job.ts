// What grows with the database that should not: every operation with a door, and a minute of timers, on a database and on one of ten
// times as many agents and listings and three times as many messages, asked by a hub agent and by an ordinary one.
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { registry } from '../../src/operations/registry.ts';
import { SAMPLE } from '../../src/schemas/samples.ts';
import { restClient, signInBy } from '../support/rest-client.ts';
import { type Child, serve, type Told } from './children.ts';
import { type Grown, grow, type Measured, type Size } from './growth-fill.ts';
import type { Turn } from './hold-watch.ts';
import type { Bench, Job, Row } from './job.ts';
import { openForFilling } from './population.ts';
import { cpuTime } from './process-figures.ts';

const FIRST: Size = { agents: 100_000, listings: 100_000, messages: 1_000_000, of_hub: 20_000 };
const SECOND: Size = { agents: 1_000_000, listings: 1_000_000, messages: 3_000_000, of_hub: 20_000 };
const FILL_MAX_S = 900;
const FILL_MAX_BYTES = 15e9;
const GROWTH_MAX = 1.5;
const HUB_MAX = 2;
const HELD_MAX_MS = 20;
/** What the clock and the other programs of the machine move. */
const NOISE_MS = 0.5;
const LAPS = 7;
/** The calls that look slow are asked so often again. */
const AGAIN_LAPS = 15;
const PATIENCE_MS = 600_000;
const IDLE_MS = 70_000;
const TOKEN = 'token-of-the-growth-job';
/** A day that was over is sealed within the hour after it. */
const DAY_SECONDS = 25 * 3_600;
/** Some of what the database was filled with is older. */
const RETENTION = 'events=29d,messages=29d,receipts=29d,prompts=29d';
const MESSAGE_MAX_BYTES = 700;
const KEPT_OF_MESSAGES = `SELECT name, pgsize / ?1 AS bytes FROM dbstat WHERE aggregate = TRUE
  AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name IN ('messages', 'events')) AND pgsize > ?1 ORDER BY name`;

/** Why an operation may cost by the size of the database. */
const MATCHES = 'looks through every live listing in memory';
const SCANS: Readonly<Record<string, string>> = {
  'admin.overview': 'counts people and agents, up to 10,000 of each',
  'ledger.check': 'reads the whole ledger, in a thread of its own',
  'platform.doctor': 'reads every row, in a thread of its own',
  'match.feed': MATCHES,
  'match.preview': MATCHES,
  'match.run': MATCHES,
  'demand.post': MATCHES,
  'onboarding.intake': MATCHES,
  'marketplace.create': MATCHES,
  'analytics.read': 'reads each conversation of the span, in slices',
};

interface Place {
  readonly size: Size;
  readonly grown: Grown;
  readonly server: Child;
  readonly filled: Filled;
}

interface Filled {
  readonly seconds: number;
  readonly bytes: number;
  /** Of the tables of messages and events, and of their indexes, for each message. */
  readonly message: readonly { readonly name: string; readonly bytes: number }[];
}

function scaled(size: Size, scale: number): Size {
  const [agents, listings, messages, of_hub] = [size.agents, size.listings, size.messages, size.of_hub].map((n) =>
    Math.max(200, Math.round(n * scale)),
  ) as [number, number, number, number];
  return { agents, listings, messages, of_hub };
}

async function made(bench: Bench, name: string, size: Size): Promise<Place> {
  const data_dir = join(bench.folder, name);
  const began_ms = performance.now();
  const store = openForFilling(data_dir);
  const grown = await grow(store, size, (doing) => bench.progress(0.1, `${name}: ${doing}`));
  await store.close();
  // What happened in these days has been delivered: a letter for each agent would be what is measured.
  const db = new Database(join(data_dir, DATABASE_FILE));
  // The store's thread may still copy the log.
  db.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  db.run('UPDATE inboxes SET delivered_seq = last_seq, behind = 0');
  const seconds = (performance.now() - began_ms) / 1_000;
  const message = db.query<Filled['message'][number], [number]>(KEPT_OF_MESSAGES).all(size.messages);
  db.close();
  const filled = { seconds, bytes: statSync(join(data_dir, DATABASE_FILE)).size, message };
  const emails = [grown.hub, grown.plain].map(({ member }) => `${member.handle}@example.org`).join(',');
  const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'error', BENCH_TELLS: 'turns', INTERNAL_TOKEN: TOKEN };
  const own = { ADMIN_EMAILS: emails, DATA_DIR: data_dir, TEST_CLOCK: '1', RETENTION };
  const server = await serve(bench, './mesh-server.ts', { ...env, ...own });
  return { size, grown, server, filled };
}

/** Who asks, with what stands for the samples of examples. */
interface Caller {
  readonly server: Child;
  readonly key: string;
  readonly token: string;
  readonly stands: ReadonlyMap<string, string>;
}

async function callerOf({ server }: Place, { member, ...own }: Measured): Promise<Caller> {
  const email = `${member.handle}@example.org`;
  const client = restClient(`http://127.0.0.1:${server.port}`);
  const token = await signInBy(client, TOKEN, email);
  const stands = { ...own, handle: member.handle, email, other_handle: 'agent_000003', free_handle: 'free_handle' };
  const samples = Object.entries(stands).map(([name, value]) => [SAMPLE[name as keyof typeof SAMPLE], value] as const);
  return { server, key: member.key, token, stands: new Map(samples) };
}

function stood(value: unknown, stands: Caller['stands']): unknown {
  if (typeof value === 'string') return stands.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => stood(each, stands));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, stood(each, stands)]));
}

/** The request of an operation's example. */
function requestOf({ rest, example, access }: AnyOperation, { key, token, stands }: Caller) {
  const binding = rest.find(({ alias }) => !alias);
  if (!binding) throw new Error('it has no door');
  const input = { ...(stood(example ?? {}, stands) as Record<string, unknown>) };
  const path = binding.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    delete input[name];
    return encodeURIComponent(String(value ?? 'x'));
  });
  const bodyless = binding.method === 'GET' || binding.method === 'DELETE';
  const query = bodyless ? `?${new URLSearchParams(Object.entries(input).map(([k, v]) => [k, String(v)]))}` : '';
  const by_session = access === 'session' || access === 'admin';
  const headers: Record<string, string> = by_session ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': key };
  if (access === 'platform') headers['X-Internal-Token'] = TOKEN;
  if (!bodyless) headers['Content-Type'] = 'application/json';
  return {
    path: `${path}${query}`,
    method: binding.method,
    headers,
    body: bodyless ? undefined : JSON.stringify(input),
  };
}

/** A request whose cost each caller is measured by. */
interface Asked {
  readonly name: string;
  readonly effect: AnyOperation['effect'];
  request(caller: Caller): ReturnType<typeof requestOf>;
}

/** The longest turn of the loop since it was asked before, by its CPU. */
function longestIn(told: Told): Pick<Turn, 'cpu_ms' | 'operation'> {
  const [longest = { cpu_ms: 0, operation: 'nothing' }] = (told.told === 'done' && told.turns) || [];
  return longest;
}

interface Cost {
  /** The least time to the whole answer, and the longest hold of the loop in the fastest half of all calls. */
  readonly ms: number;
  readonly held_ms: number;
  readonly status: number;
}

async function ask(asked: Asked, caller: Caller): Promise<Cost> {
  const { server } = caller;
  const { path, ...request } = asked.request(caller);
  await server.ask({ ask: 'turns' });
  const began_ms = performance.now();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { ...request, redirect: 'manual', signal });
  await answer.arrayBuffer();
  const ms = performance.now() - began_ms;
  const told = await server.ask({ ask: 'turns' });
  return { ms, held_ms: longestIn(told).cpu_ms, status: answer.status };
}

/** What it costs each of several callers, who ask in turns. */
async function costs(asked: Asked, callers: readonly Caller[], laps: number): Promise<Cost[]> {
  const found: Cost[][] = callers.map(() => []);
  for (let lap = 0; lap < laps; lap++) {
    for (const [at, caller] of callers.entries()) found[at]?.push(await ask(asked, caller));
  }
  return found.map((all) => {
    const held = all.map(({ held_ms }) => held_ms).sort((a, b) => a - b);
    const status = all[0]?.status ?? 0;
    return { ms: Math.min(...all.map(({ ms }) => ms)), held_ms: held[Math.floor(held.length / 4)] ?? 0, status };
  });
}

interface Measure {
  readonly asked: Asked;
  /** Of the hub in the first and in the second database, and of an ordinary agent in both. */
  readonly hub: readonly [Cost, Cost];
  readonly plain: readonly [Cost, Cost];
}

const grew = ([first, second]: readonly [Cost, Cost], most: number): boolean =>
  second.ms > most * first.ms && second.ms - first.ms > NOISE_MS;

const isSlow = ({ hub, plain }: Measure): boolean =>
  grew(hub, GROWTH_MAX) ||
  grew(plain, GROWTH_MAX) ||
  grew([plain[1], hub[1]], HUB_MAX) ||
  [...hub, ...plain].some(({ held_ms }) => held_ms > HELD_MAX_MS);

async function measure(asked: Asked, callers: readonly Caller[], laps: number): Promise<Measure> {
  const [a, b, c, d] = (await costs(asked, callers, laps)) as [Cost, Cost, Cost, Cost];
  return { asked, hub: [a, b], plain: [c, d] };
}

/** What timers cost. */
interface Timers {
  readonly cpu_ms: number;
  readonly held: Pick<Turn, 'cpu_ms' | 'operation'>;
}

async function timersIn({ server }: Place, pass: () => Promise<unknown>): Promise<Timers> {
  await server.ask({ ask: 'turns' });
  const before_us = cpuTime(server.pid);
  await pass();
  const cpu_ms = (cpuTime(server.pid) - before_us) / 1_000;
  return { cpu_ms, held: longestIn(await server.ask({ ask: 'turns' })) };
}

/** A day and all that is due in it: reminders, seals, the check of the file, prunes, whole walks of retention. */
async function passDay({ server }: Place): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const headers = { 'X-Internal-Token': TOKEN, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ advance_seconds: DAY_SECONDS });
  const request = { method: 'POST', headers, body, signal };
  const answer = await fetch(`http://127.0.0.1:${server.port}/internal/clock`, request);
  if (!answer.ok) throw new Error(`the clock answered ${answer.status}: ${await answer.text()}`);
}

function timersRow(job: string, [first, second]: readonly [Timers, Timers], most: number): Row {
  const shown = ({ cpu_ms, held }: Timers): string =>
    `${cpu_ms.toFixed(0)} ms, ${held.cpu_ms.toFixed(1)} ms (${held.operation})`;
  return {
    job: `${job}, of CPU, and the longest hold`,
    ours: shown(second),
    ceiling: `first: ${shown(first)}`,
    target: `≤ ${most.toFixed(1)} ×, held ≤ ${HELD_MAX_MS} ms`,
    met: second.cpu_ms <= most * first.cpu_ms + 100 && second.held.cpu_ms <= HELD_MAX_MS,
  };
}

/** Pages and documents beside the operations. */
const PAGES = [
  ...['/', '/metrics', '/readyz', '/openapi.json', '/llms.txt', '/docs/guide', '/robots.txt'],
  ...['/.well-known/agent-card.json', '/.well-known/ai-catalog.json', '/.well-known/ai-catalog/agents.json'],
];
const pageOf = (path: string): Asked => ({
  name: path,
  effect: 'reads',
  request: () => ({ path, method: 'GET', headers: { 'X-Internal-Token': TOKEN }, body: undefined }),
});

/** All that are asked, those that only read first. What ends something would end the run. */
function whatIsAsked(): Asked[] {
  const all = registry().filter(
    ({ access, effect, kind, rest }) =>
      access !== 'internal' && effect !== 'destroys' && kind !== 'stream' && rest.some(({ alias }) => !alias),
  );
  const operations = [
    ...all.filter(({ effect }) => effect === 'reads'),
    ...all.filter(({ effect }) => effect !== 'reads'),
  ];
  const doors = operations.map((operation): Asked => {
    const { name, effect } = operation;
    return { name, effect, request: (caller) => requestOf(operation, caller) };
  });
  return [...PAGES.map(pageOf), ...doors];
}

const told = ({ asked: { name }, hub, plain }: Measure): string => {
  const figures = [...hub, ...plain].map(({ ms }) => ms.toFixed(1)).join('/');
  return `${name} ${figures} ms (held ${Math.max(...[...hub, ...plain].map(({ held_ms }) => held_ms)).toFixed(0)})`;
};

function verdict(job: string, found: readonly Measure[], target: string, all: number): Row {
  const unexplained = found.filter(({ asked: { name } }) => SCANS[name] === undefined);
  const named = found.map((each) => `${told(each)}${SCANS[each.asked.name] ? `: ${SCANS[each.asked.name]}` : ''}`);
  return {
    job: `${job}, of ${all} operations and pages`,
    ours: `${unexplained.length}`,
    target,
    met: unexplained.length === 0,
    ...(named.length > 0 && { note: `hub/hub/ordinary/ordinary: ${named.join('; ')}` }),
  };
}

function filledRow(name: string, { filled: { seconds, bytes }, size }: Place): Row {
  return {
    job: `fill ${name}: ${size.agents} agents, ${size.messages} messages, ${size.listings} listings`,
    ours: `${seconds.toFixed(0)} s, ${(bytes / 1e9).toFixed(2)} GB`,
    target: `≤ ${FILL_MAX_S} s, ≤ ${FILL_MAX_BYTES / 1e9} GB`,
    met: seconds <= FILL_MAX_S && bytes <= FILL_MAX_BYTES,
  };
}

function bytesRow({ filled: { message } }: Place): Row {
  const bytes = message.reduce((sum, each) => sum + each.bytes, 0);
  return {
    job: 'bytes that a message keeps, with its event and the indexes of both',
    ours: bytes.toFixed(0),
    target: `≤ ${MESSAGE_MAX_BYTES}`,
    met: bytes <= MESSAGE_MAX_BYTES,
    note: message.map((each) => `${each.name} ${each.bytes}`).join(', '),
  };
}

async function run(bench: Bench): Promise<Row[]> {
  const { scale } = bench.effort;
  const first = await made(bench, 'first', scaled(FIRST, scale));
  const second = await made(bench, 'second', scaled(SECOND, scale));
  const callers: Caller[] = [];
  for (const whom of ['hub', 'plain'] as const)
    for (const place of [first, second]) callers.push(await callerOf(place, place.grown[whom]));
  bench.progress(0.5, 'a minute of timers');
  const idle = await Promise.all([first, second].map((place) => timersIn(place, () => Bun.sleep(IDLE_MS))));
  const all = whatIsAsked();
  const measured: Measure[] = [];
  for (const [at, asked] of all.entries()) {
    bench.progress(0.5 + (0.5 * at) / all.length, asked.name);
    const scans = SCANS[asked.name] !== undefined;
    const once = await measure(asked, callers, scans ? 1 : LAPS);
    measured.push(isSlow(once) && !scans ? await measure(asked, callers, AGAIN_LAPS) : once);
  }
  bench.progress(1, 'a day of timers');
  const days: Timers[] = [];
  for (const place of [first, second]) days.push(await timersIn(place, () => passDay(place)));
  const more = second.size.listings / first.size.listings;
  const served = measured.filter(({ hub: [{ status }] }) => status < 300).length;
  const held = measured.filter(({ hub, plain }) => [...hub, ...plain].some(({ held_ms }) => held_ms > HELD_MAX_MS));
  const pages = measured.filter(({ asked: { effect } }) => effect === 'reads');
  return [
    filledRow('first', first),
    filledRow('second', second),
    verdict(
      'cost more in the second database',
      measured.filter(({ hub, plain }) => grew(hub, GROWTH_MAX) || grew(plain, GROWTH_MAX)),
      `0 more than ${GROWTH_MAX} ×`,
      measured.length,
    ),
    verdict('hold the loop', held, `0 more than ${HELD_MAX_MS} ms`, measured.length),
    verdict(
      'reads that cost the hub more than an ordinary agent',
      pages.filter(({ hub, plain }) => grew([plain[1], hub[1]], HUB_MAX)),
      `0 more than ${HUB_MAX} ×`,
      pages.length,
    ),
    timersRow('timers of 70 s', idle as [Timers, Timers], GROWTH_MAX),
    // Each listing's words are weighed, and the messages and events of two days are deleted.
    timersRow('timers of a day', days as [Timers, Timers], GROWTH_MAX * more),
    bytesRow(first),
    {
      job: 'operations that answered with success',
      ours: `${served} of ${measured.length}`,
      target: '',
      met: null,
      note: 'the others were refused, as their examples name what these agents do not have',
    },
  ];
}

export const growthJob: Job = {
  name: 'growth',
  about: 'every operation and the timers on two databases, of 100,000 and of 1,000,000 agents (--scale)',
  run,
};
