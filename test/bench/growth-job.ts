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
};

interface Place {
  readonly size: Size;
  readonly grown: Grown;
  readonly server: Child;
  readonly filled: { readonly seconds: number; readonly bytes: number };
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
  db.run('UPDATE inboxes SET delivered_seq = last_seq, behind = 0');
  db.close();
  const filled = {
    seconds: (performance.now() - began_ms) / 1_000,
    bytes: statSync(join(data_dir, DATABASE_FILE)).size,
  };
  const emails = [grown.hub, grown.plain].map(({ member }) => `${member.handle}@example.org`).join(',');
  const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'error', BENCH_TELLS: 'turns', INTERNAL_TOKEN: TOKEN };
  const server = await serve(bench, './mesh-server.ts', { ...env, ADMIN_EMAILS: emails, DATA_DIR: data_dir });
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

/** The CPU of the longest turn of the loop since it was asked before. */
function heldIn(told: Told): number {
  const [longest] = (told.told === 'done' && told.turns) || [];
  return longest?.cpu_ms ?? 0;
}

interface Cost {
  /** The least time to the whole answer, and the longest hold of the loop in the fastest half of all calls. */
  readonly ms: number;
  readonly held_ms: number;
  readonly status: number;
}

async function ask(operation: AnyOperation, caller: Caller): Promise<Cost> {
  const { server } = caller;
  const { path, ...request } = requestOf(operation, caller);
  await server.ask({ ask: 'turns' });
  const began_ms = performance.now();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { ...request, redirect: 'manual', signal });
  await answer.arrayBuffer();
  const ms = performance.now() - began_ms;
  const told = await server.ask({ ask: 'turns' });
  return { ms, held_ms: heldIn(told), status: answer.status };
}

/** What an operation costs each of several callers, who ask in turns. */
async function costs(operation: AnyOperation, callers: readonly Caller[], laps: number): Promise<Cost[]> {
  const asked: Cost[][] = callers.map(() => []);
  for (let lap = 0; lap < laps; lap++) {
    for (const [at, caller] of callers.entries()) asked[at]?.push(await ask(operation, caller));
  }
  return asked.map((all) => {
    const held = all.map(({ held_ms }) => held_ms).sort((a, b) => a - b);
    const status = all[0]?.status ?? 0;
    return { ms: Math.min(...all.map(({ ms }) => ms)), held_ms: held[Math.floor(held.length / 4)] ?? 0, status };
  });
}

interface Measure {
  readonly operation: AnyOperation;
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

async function measure(operation: AnyOperation, callers: readonly Caller[], laps: number): Promise<Measure> {
  const [a, b, c, d] = (await costs(operation, callers, laps)) as [Cost, Cost, Cost, Cost];
  return { operation, hub: [a, b], plain: [c, d] };
}

/** What a minute without a call costs: the timers. */
async function idle({ server }: Place): Promise<{ readonly cpu_ms: number; readonly held_ms: number }> {
  await server.ask({ ask: 'turns' });
  const before_us = cpuTime(server.pid);
  await Bun.sleep(IDLE_MS);
  const cpu_ms = (cpuTime(server.pid) - before_us) / 1_000;
  const told = await server.ask({ ask: 'turns' });
  return { cpu_ms, held_ms: heldIn(told) };
}

/** All that are asked, those that only read first. What ends something would end the run. */
function asked(): AnyOperation[] {
  const all = registry().filter(
    ({ access, effect, kind, rest }) =>
      access !== 'internal' && effect !== 'destroys' && kind !== 'stream' && rest.some(({ alias }) => !alias),
  );
  return [...all.filter(({ effect }) => effect === 'reads'), ...all.filter(({ effect }) => effect !== 'reads')];
}

const told = ({ operation: { name }, hub, plain }: Measure): string => {
  const figures = [...hub, ...plain].map(({ ms }) => ms.toFixed(1)).join('/');
  return `${name} ${figures} ms (held ${Math.max(...[...hub, ...plain].map(({ held_ms }) => held_ms)).toFixed(0)})`;
};

function verdict(job: string, found: readonly Measure[], target: string, all: number): Row {
  const unexplained = found.filter(({ operation: { name } }) => SCANS[name] === undefined);
  const named = found.map(
    (each) => `${told(each)}${SCANS[each.operation.name] ? `: ${SCANS[each.operation.name]}` : ''}`,
  );
  return {
    job: `${job}, of ${all} operations`,
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

async function run(bench: Bench): Promise<Row[]> {
  const { scale } = bench.effort;
  const first = await made(bench, 'first', scaled(FIRST, scale));
  const second = await made(bench, 'second', scaled(SECOND, scale));
  const callers: Caller[] = [];
  for (const whom of ['hub', 'plain'] as const)
    for (const place of [first, second]) callers.push(await callerOf(place, place.grown[whom]));
  bench.progress(0.5, 'a minute of timers');
  const [timers_first, timers_second] = await Promise.all([idle(first), idle(second)]);
  const all = asked();
  const measured: Measure[] = [];
  for (const [at, operation] of all.entries()) {
    bench.progress(0.5 + (0.5 * at) / all.length, operation.name);
    const scans = SCANS[operation.name] !== undefined;
    const once = await measure(operation, callers, scans ? 1 : LAPS);
    measured.push(isSlow(once) && !scans ? await measure(operation, callers, AGAIN_LAPS) : once);
  }
  const served = measured.filter(({ hub: [{ status }] }) => status < 300).length;
  const held = measured.filter(({ hub, plain }) => [...hub, ...plain].some(({ held_ms }) => held_ms > HELD_MAX_MS));
  const pages = measured.filter(({ operation: { effect } }) => effect === 'reads');
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
    {
      job: 'timers of 70 s, of CPU, and the longest hold',
      ours: `${timers_second.cpu_ms.toFixed(0)} ms, ${timers_second.held_ms.toFixed(1)} ms`,
      ceiling: `first: ${timers_first.cpu_ms.toFixed(0)} ms, ${timers_first.held_ms.toFixed(1)} ms`,
      target: `≤ ${GROWTH_MAX} ×, held ≤ ${HELD_MAX_MS} ms`,
      met: timers_second.cpu_ms <= GROWTH_MAX * timers_first.cpu_ms + 100 && timers_second.held_ms <= HELD_MAX_MS,
      note: `${served} of ${measured.length} operations answered with success; the others were refused, as their examples name what these agents do not have`,
    },
  ];
}

export const growthJob: Job = {
  name: 'growth',
  about: 'every operation and the timers on two databases, of 100,000 and of 1,000,000 agents (--scale)',
  run,
};
