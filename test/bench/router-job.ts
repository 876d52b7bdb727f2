// Routed calls, free and paid, beside what they are made of: one durable message and one signed delivery to a webhook, on one server; and
// beside providers that drip, or answer without an end.
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { fault } from '../../src/domain/fault.ts';
import { post } from '../../src/domain/money/ledger.ts';
import { seal } from '../../src/outbound/seal.ts';
import { loadSecrets } from '../../src/outbound/secrets.ts';
import { startProviderProgram } from '../support/provider-program.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { type Requests, requestBytes, type Sample, STAMPED_KEY, stamped } from './load.ts';
import { monotonicMs } from './monotonic.ts';
import { joining, type Member, members, newId, openForFilling, write } from './population.ts';
import { figure, measure, throughputRow } from './rounds.ts';
import { median, ratios } from './statistics.ts';
import { fillTalks, fromAll, type Talk, talksOf } from './talks.ts';
import { HOSTS, pushed, type Receivers, startReceivers, subscribe } from './webhook-job.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
const FUNDS_CENTS = 1_000_000_000;
const PAYLOAD = { text: 'Where is the harbour, and when does the ferry leave?', to: 'fr' };
const PRICES = { 'bench.free': 0, 'bench.paid': 10 } as const;
type Capability = keyof typeof PRICES;
/** Calls under way at a time of providers that take their time, and of those that pour out what nobody reads. */
const TROUBLES = { drip: 32, huge: 4 } as const;
/** So that no count of failures takes them out of rotation. */
const NEVER_OUT = -1_000_000_000;

interface Ports {
  readonly receivers: number;
  readonly troubles: number;
}

/** Money for each caller, as a paid funding leaves it, and who serves, a provider for each host. */
function* routed(
  callers: readonly Member[],
  serving: readonly Member[],
  ports: Ports,
  seal_key: Uint8Array,
): Generator<Effect> {
  const created_at = Date.now();
  for (const { id: agent_id, account_id } of callers) {
    // Letters about the messages would be written while calls are measured.
    yield insert('notification_settings', { id: account_id, email: 'none', digest: 'off', mute: [] });
    // Its person lets its keys spend whatever the wallet holds.
    yield insert('wallets', { id: agent_id, limit_set_at: created_at });
    const id = newId();
    const paid = { status: 'paid', processor: 'sandbox', paid_at: created_at, withdrawable_at: created_at } as const;
    yield insert('fundings', {
      id,
      agent_id,
      account_id,
      amount_cents: FUNDS_CENTS,
      created_at,
      ended_at: created_at,
      ...paid,
    });
    const leg = { debit: 'processor', credit: `wallet:${agent_id}`, amount_cents: FUNDS_CENTS } as const;
    yield post(
      { id: `fund:${id}`, kind: 'fund', subject_id: id, created_at },
      [leg],
      fault('conflict'),
      fault('conflict'),
    );
  }
  for (const [at, { id: agent_id, account_id }] of serving.entries()) {
    const host = HOSTS[at % HOSTS.length];
    const offers = Object.entries(PRICES).map(([capability, price_cents]) => {
      return { capability, price_cents, endpoint_url: `https://${host}:${ports.receivers}/serve`, streak: 0 };
    });
    const troubles = Object.keys(TROUBLES).map((behaviour) => {
      const endpoint_url = `https://${host}:${ports.troubles}/${behaviour}/bench`;
      return { capability: `bench.${behaviour}`, price_cents: 0, endpoint_url, streak: NEVER_OUT };
    });
    for (const offered of at === 0 ? [...offers, ...troubles] : offers) {
      const id = newId();
      const secret = seal(seal_key, 'prs_bench', `provider:${id}`);
      const offer = { id, agent_id, account_id, ...offered, active: 1, secret, created_at };
      yield insert('providers', { ...offer, weighed_attempts: 200_000, weighed_served: 200_000 });
    }
  }
}

async function filled(bench: Bench, talks: readonly Talk[], ports: Ports): Promise<string> {
  const data_dir = join(bench.folder, 'router');
  const { sealKey } = await loadSecrets(data_dir);
  const store = openForFilling(data_dir);
  await fillTalks(store, talks);
  const serving = members(HOSTS.length).map((member, at) => ({ ...member, handle: `serving_${at}` }));
  await write(store, joining(serving, Date.now()));
  const callers = talks.flatMap(({ sides }) => sides);
  await write(store, routed(callers, serving, ports, sealKey));
  await store.close();
  await subscribe(data_dir, [talks[0]?.sides[0].id ?? ''], ports.receivers);
  return data_dir;
}

function calls(talks: readonly Talk[], capability: Capability, run = ''): Requests {
  const body = JSON.stringify({ capability, payload: PAYLOAD });
  return stamped(
    talks
      .flatMap(({ sides }) => sides)
      .map(({ key }) =>
        requestBytes(
          'POST',
          '/api/router/call',
          { 'X-API-Key': key, 'Idempotency-Key': `${capability}${run}${STAMPED_KEY}` },
          body,
        ),
      ),
  );
}

/** The CPU time of one delivery to a webhook, in microseconds. */
async function deliveryCost(bench: Bench, receivers: Receivers, ours: Child, agent_id: string): Promise<number> {
  const agent_ids = Array.from({ length: 500 }, () => agent_id);
  const costs: number[] = [];
  for (let round = 0; round <= bench.effort.rounds; round++) {
    const { cpu_us } = await pushed(receivers, ours, agent_ids.length, async () => {
      const began_ms = monotonicMs();
      await ours.ask({ ask: 'tell', agent_ids });
      return began_ms;
    });
    if (round > 0) costs.push(cpu_us);
  }
  return median(costs);
}

/** Has troubles under way all the time, until it is told to end. */
function trouble({ port }: Child, key: string): () => Promise<void> {
  const over = new AbortController();
  const worker = async (capability: string): Promise<void> => {
    while (!over.signal.aborted) {
      const asked = { method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } };
      const body = JSON.stringify({ capability, payload: PAYLOAD });
      const answer = await fetch(`http://127.0.0.1:${port}/api/router/call`, {
        ...asked,
        body,
        signal: over.signal,
      }).catch(() => null);
      if (answer && answer.status !== 502) throw new Error(`a trouble was answered with ${answer.status}`);
      await answer?.arrayBuffer();
    }
  };
  const workers = Object.entries(TROUBLES).flatMap(([behaviour, n]) =>
    Array.from({ length: n }, () => worker(`bench.${behaviour}`)),
  );
  return async () => {
    over.abort();
    await Promise.all(workers);
  };
}

/** Free calls while others come to no good end: how much later the slowest of a hundred is. */
async function besideTroubles(bench: Bench, ours: Child, talks: readonly Talk[]): Promise<Row> {
  const load = (run: string) => ({
    free: { target: ours, connections: CONNECTIONS, requests: calls(talks, 'bench.free', run) },
  });
  const calm = await measure(bench, load('calm'));
  const end = trouble(ours, talks[0]?.sides[0].key ?? '');
  const troubled = await measure(bench, load('troubled')).finally(end);
  const later_ms = figure(troubled.free, 'p99_ms') - figure(calm.free, 'p99_ms');
  const row = throughputRow('free call, 64 connections', troubled.free, calm.free, 0, {
    against: 'without them',
    judged: 'rate',
    target: 'p99 + 1,000 ms',
    note: `${TROUBLES.drip} providers drip, ${TROUBLES.huge} pour; p99 is ${later_ms.toFixed(0)} ms later`,
  });
  return { ...row, job: 'the same beside providers in trouble', cpu_ratio: undefined, met: later_ms < 1_000 };
}

/** A row of calls beside as much CPU time as they may take. */
function costRow(job: string, got: readonly Sample[], least: number, may_us: readonly number[], of: string): Row {
  const cpu_ratio = ratios(
    may_us,
    got.map(({ cpu_us }) => cpu_us),
  );
  return {
    job,
    ours: `${Math.round(figure(got, 'per_second'))}/s`,
    ceiling: of,
    cpu_ratio,
    p50_ms: figure(got, 'p50_ms'),
    p99_ms: figure(got, 'p99_ms'),
    cpu_us: figure(got, 'cpu_us'),
    ceiling_cpu_us: median(may_us),
    target: `≥ ${least} of CPU`,
    met: cpu_ratio.mid >= least,
  };
}

export const routerJob: Job = {
  name: 'router',
  about: 'routed calls beside a durable message and a webhook delivery',
  run: async (bench) => {
    bench.progress(0, 'writing agents and providers');
    const receivers = await startReceivers(bench);
    const program = await startProviderProgram();
    bench.after(() => program.end());
    const talks = talksOf(AGENTS);
    const data_dir = await filled(bench, talks, { receivers: receivers.port, troubles: program.port });
    const EGRESS_ALLOW = `${receivers.env['EGRESS_ALLOW']},${HOSTS[0]}:${program.port}`;
    const outside = { ...receivers.env, EGRESS_ALLOW };
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...outside, DATA_DIR: data_dir };
    const ours = await serve(bench, './mesh-server.ts', env);
    const delivery_us = await deliveryCost(bench, receivers, ours, talks[0]?.sides[0].id ?? '');
    const target = { target: ours, connections: CONNECTIONS };
    const got = await measure(bench, {
      // The one agent with a webhook does not write, so that no delivery is counted twice.
      messages: { ...target, requests: fromAll(talks.slice(1)) },
      free: { ...target, requests: calls(talks, 'bench.free') },
      paid: { ...target, requests: calls(talks, 'bench.paid') },
    });
    const alone = await measure(bench, {
      one: { target: ours, connections: 1, requests: calls(talks, 'bench.free', 'one') },
    });
    const messages_us = got.messages.map(({ cpu_us }) => cpu_us);
    const whole = messages_us.map((us) => 1.2 * (us + delivery_us));
    const one = throughputRow('free call, one connection', alone.one, alone.one, 0, {
      against: 'itself',
      judged: 'rate',
    });
    const overhead = figure(alone.one, 'p50_ms');
    return [
      costRow('free call, 64 connections', got.free, 1, whole, '1.2 × (message + delivery)'),
      costRow(
        'paid call, 64 connections',
        got.paid,
        1,
        whole.map((us, at) => us + (messages_us[at] ?? 0)),
        'the same + message',
      ),
      { ...one, ceiling: undefined, ratio: undefined, cpu_ratio: undefined, target: 'p50 < 3 ms', met: overhead < 3 },
      await besideTroubles(bench, ours, talks),
    ];
  },
};
