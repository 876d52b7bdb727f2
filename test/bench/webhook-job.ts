// Webhooks: how many signed deliveries a second leave to https receivers, beside a bare loop over https.request, and what
// they take from the message POST that causes them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { seal } from '../../src/outbound/seal.ts';
import { loadSecrets } from '../../src/outbound/secrets.ts';
import { webhookSecret } from '../../src/outbound/webhook-signature.ts';
import { secretContext } from '../../src/steps/webhook.ts';
import { AUTHORITY, RECEIVERS } from '../support/authority.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import type { Sample } from './load.ts';
import { monotonicMs } from './monotonic.ts';
import { newId, openForFilling, write } from './population.ts';
import { cpuTime } from './process-figures.ts';
import { measure, throughputRow } from './rounds.ts';
import { median, ratios } from './statistics.ts';
import { fillTalks, fromAll, type Talk, talksOf } from './talks.ts';

const CONNECTIONS = 64;
/** Deliveries of a round; each agent is sent one at a time. */
const DELIVERIES = 2_000;
/** Eight pushes go to a host at once, so that these take as many as the bare loop has connections. */
export const HOSTS = Array.from({ length: 8 }, (_, n) => `w${n}.receivers.example`);
const CALM_MS = 500;

/** Receivers over TLS that take whatever comes. */
export interface Receivers {
  readonly port: number;
  /** The environment under which a server reaches them. */
  readonly env: Readonly<Record<string, string>>;
  count(): number;
  /** When the last one came, by monotonic.ts. */
  last_ms(): number;
}

/** Starts them; what is sent to `/serve` is answered as a provider of a capability does. */
export async function startReceivers(bench: Bench): Promise<Receivers> {
  let [count, last_ms] = [0, 0];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: RECEIVERS,
    fetch: async (request) => {
      await request.arrayBuffer();
      count += 1;
      last_ms = monotonicMs();
      return request.url.endsWith('/serve') ? Response.json({ done: true }) : new Response(null, { status: 204 });
    },
  });
  bench.after(() => server.stop(true));
  const dns = await startDnsServer(Object.fromEntries(HOSTS.map((host) => [host, { a: ['127.0.0.1'] }])));
  bench.after(() => dns.close());
  const authority = join(bench.folder, 'authority.pem');
  writeFileSync(authority, AUTHORITY);
  const { port = 0 } = server;
  const env = {
    EGRESS_ALLOW: HOSTS.map((host) => `${host}:${port}`).join(','),
    DNS_SERVERS: dns.address,
    NODE_EXTRA_CA_CERTS: authority,
  };
  return { port, env, count: () => count, last_ms: () => last_ms };
}

/** Resolves when nothing has come for a while. */
async function calm({ count }: Receivers): Promise<void> {
  for (let seen = -1; seen !== count(); ) {
    seen = count();
    await Bun.sleep(CALM_MS);
  }
}

async function fill(data_dir: string): Promise<Talk[]> {
  const store = openForFilling(data_dir);
  const talks = talksOf(DELIVERIES);
  await fillTalks(store, talks);
  await store.close();
  return talks;
}

/** A webhook for every agent, the hosts in turn. */
export async function subscribe(data_dir: string, agent_ids: readonly string[], port: number): Promise<void> {
  const { sealKey } = await loadSecrets(data_dir);
  const created_at = Date.now();
  const hooks = agent_ids.map((agent_id, n): Effect => {
    const id = newId();
    const secret = seal(sealKey, webhookSecret(crypto.getRandomValues(new Uint8Array(32))), secretContext(id));
    const url = `https://${HOSTS[n % HOSTS.length]}:${port}/`;
    return insert('webhooks', { id, agent_id, kind: 'developer', url, events: ['*'], secret, created_at });
  });
  const store = openForFilling(data_dir);
  await write(store, hooks);
  await store.close();
}

export interface Pushed {
  readonly per_second: number;
  readonly cpu_us: number;
}

/** Deliveries a second of one round; `begin` answers when the first could leave. */
export async function pushed(
  receivers: Receivers,
  child: Child,
  count: number,
  begin: () => Promise<number>,
): Promise<Pushed> {
  await calm(receivers);
  const [before, cpu_before] = [receivers.count(), cpuTime(child.pid)];
  const began_ms = await begin();
  while (receivers.count() < before + count) await Bun.sleep(2);
  const seconds = (receivers.last_ms() - began_ms) / 1_000;
  return { per_second: count / seconds, cpu_us: (cpuTime(child.pid) - cpu_before) / count };
}

async function deliveries(
  bench: Bench,
  receivers: Receivers,
  ours: Child,
  bare: Child,
  agent_ids: readonly string[],
): Promise<Row> {
  const [signed, calls]: [Pushed[], Pushed[]] = [[], []];
  const count = agent_ids.length;
  const { rounds } = bench.effort;
  for (let round = 0; round <= rounds; round++) {
    bench.progress(round / (rounds + 1), round === 0 ? 'warming up' : `deliveries, round ${round} of ${rounds}`);
    const loop = await pushed(receivers, bare, count, async () => {
      const told = await bare.ask({ ask: 'call', count, port: receivers.port });
      return told.told === 'done' ? told.started_ms : Number.NaN;
    });
    const push = await pushed(receivers, ours, count, async () => {
      const began_ms = monotonicMs();
      await ours.ask({ ask: 'tell', agent_ids });
      return began_ms;
    });
    if (round === 0) continue;
    calls.push(loop);
    signed.push(push);
  }
  const of = (all: readonly Pushed[], name: keyof Pushed): number[] => all.map((one) => one[name]);
  const ratio = ratios(of(signed, 'per_second'), of(calls, 'per_second'));
  return {
    job: 'webhook deliveries, signed',
    ours: `${Math.round(median(of(signed, 'per_second')))}/s`,
    ceiling: `https.request ${Math.round(median(of(calls, 'per_second')))}/s`,
    ratio,
    cpu_us: median(of(signed, 'cpu_us')),
    ceiling_cpu_us: median(of(calls, 'cpu_us')),
    target: '≥ 0.6',
    met: ratio.mid >= 0.6,
  };
}

interface Posted {
  readonly child: Child;
  readonly talks: readonly Talk[];
}

async function posting(bench: Bench, receivers: Receivers, plain: Posted, ours: Posted): Promise<Row> {
  const [without, hooked]: [Sample[], Sample[]] = [[], []];
  const quiet = { ...bench, effort: { ...bench.effort, rounds: 1 }, progress: () => {} };
  const load = ({ child, talks }: Posted) => ({
    it: { target: child, connections: CONNECTIONS, requests: fromAll(talks) },
  });
  for (let round = 0; round < bench.effort.rounds; round++) {
    bench.progress(round / bench.effort.rounds, `messages, round ${round + 1} of ${bench.effort.rounds}`);
    without.push(...(await measure(quiet, load(plain))).it);
    hooked.push(...(await measure(quiet, load(ours))).it);
    // What was held back for the posts leaves now, and must not take from the next round.
    await calm(receivers);
  }
  return throughputRow('message, with a webhook', hooked, without, 0.8, { against: 'without', judged: 'rate' });
}

export const webhookJob: Job = {
  name: 'webhook',
  about: 'signed deliveries beside bare https requests, and message POST with a webhook attached',
  run: async (bench) => {
    bench.progress(0, 'writing agents and webhooks');
    const receivers = await startReceivers(bench);
    const folders = ['plain', 'hooked'].map((name) => join(bench.folder, name));
    const [plain_dir = '', hooked_dir = ''] = folders;
    const talks = await fill(hooked_dir);
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...receivers.env };
    const plain_talks = await fill(plain_dir);
    const agent_ids = talks.flatMap(({ sides }) => sides.map(({ id }) => id));
    await subscribe(hooked_dir, agent_ids, receivers.port);
    const bare = await serve(bench, './https-caller.ts');
    const ours = await serve(bench, './mesh-server.ts', { ...env, DATA_DIR: hooked_dir });
    const rows = [await deliveries(bench, receivers, ours, bare, agent_ids)];
    const plain = await serve(bench, './mesh-server.ts', { ...env, DATA_DIR: plain_dir });
    return [...rows, await posting(bench, receivers, { child: plain, talks: plain_talks }, { child: ours, talks })];
  },
};
