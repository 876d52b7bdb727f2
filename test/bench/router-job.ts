// Routed calls, free and paid, beside what they are made of: one durable message and one signed delivery to a webhook, on one server.
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { fault } from '../../src/domain/fault.ts';
import { post } from '../../src/domain/money/ledger.ts';
import { seal } from '../../src/outbound/seal.ts';
import { loadSecrets } from '../../src/outbound/secrets.ts';
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

/** Money for each caller, as a paid funding leaves it, and who serves, a provider for each host. */
function* routed(
  callers: readonly Member[],
  serving: readonly Member[],
  port: number,
  seal_key: Uint8Array,
): Generator<Effect> {
  const created_at = Date.now();
  for (const { id: agent_id, account_id } of callers) {
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
    for (const [capability, price_cents] of Object.entries(PRICES)) {
      const id = newId();
      const endpoint_url = `https://${HOSTS[at % HOSTS.length]}:${port}/serve`;
      const secret = seal(seal_key, 'prs_bench', `provider:${id}`);
      const offer = { id, agent_id, account_id, capability, endpoint_url, price_cents, active: 1, secret, created_at };
      yield insert('providers', { ...offer, weighed_attempts: 200_000, weighed_served: 200_000 });
    }
  }
}

async function filled(bench: Bench, talks: readonly Talk[], port: number): Promise<string> {
  const data_dir = join(bench.folder, 'router');
  const { sealKey } = await loadSecrets(data_dir);
  const store = openForFilling(data_dir);
  await fillTalks(store, talks);
  const serving = members(HOSTS.length).map((member, at) => ({ ...member, handle: `serving_${at}` }));
  await write(store, joining(serving, Date.now()));
  const callers = talks.flatMap(({ sides }) => sides);
  await write(store, routed(callers, serving, port, sealKey));
  await store.close();
  await subscribe(data_dir, [talks[0]?.sides[0].id ?? ''], port);
  return data_dir;
}

/** Every agent in turn calls. */
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
    const talks = talksOf(AGENTS);
    const data_dir = await filled(bench, talks, receivers.port);
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...receivers.env, DATA_DIR: data_dir };
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
    ];
  },
};
