// Money: durable sends over HTTP beside durable messages of the same server, bookings in process beside a bare program that writes
// the same rows in the same groups, and the check of a ledger while messages are posted.

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { fault } from '../../src/domain/fault.ts';
import { keyPrefixShown, mintKey } from '../../src/domain/identity/key.ts';
import { post } from '../../src/domain/money/ledger.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { sha256Hex } from '../../src/outbound/hash.ts';
import { BareLedger, type Payment } from './bare-ledger.ts';
import { compare } from './beside.ts';
import { fillFolder, HERE } from './checkout.ts';
import { type Child, onBothCores, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { load, type Requests, requestBytes, STAMPED_KEY, stamped } from './load.ts';
import { type Member, newId, openForFilling, write } from './population.ts';
import { atRest } from './rest.ts';
import { figure, measure, throughputRow } from './rounds.ts';
import { median, ratios } from './statistics.ts';
import { fromAll, type Talk, talksOf } from './talks.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
const FUNDS_CENTS = 1_000_000_000;
const GROUP = 64;
const WALLETS = 2_000;
const TRANSFERS = 1_000_000;
const TOKEN = 'token-of-the-bench';
const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', INTERNAL_TOKEN: TOKEN } as const;

/** The key by which an agent spends, beside the one by which it writes. */
const spending = new Map<string, string>();

function keyOf({ id }: Member): string {
  const key = spending.get(id) ?? mintKey('mesh', randomBytes(32));
  spending.set(id, key);
  return key;
}

/** Money for each agent, as a paid funding leaves it, and a key that may spend it. */
function* funded(talks: readonly Talk[], now_ms: number): Generator<Effect> {
  const paid = {
    status: 'paid',
    processor: 'sandbox',
    paid_at: now_ms,
    withdrawable_at: now_ms,
    ended_at: now_ms,
  } as const;
  for (const member of talks.flatMap(({ sides }) => sides)) {
    const { id: agent_id, account_id } = member;
    const key = keyOf(member);
    const id = newId();
    yield insert('fundings', { id, agent_id, account_id, amount_cents: FUNDS_CENTS, created_at: now_ms, ...paid });
    const leg = { debit: 'processor', credit: `wallet:${agent_id}`, amount_cents: FUNDS_CENTS } as const;
    const journal = { id: `fund:${id}`, kind: 'fund', subject_id: id, created_at: now_ms };
    yield post(journal, [leg], fault('conflict'), fault('conflict'));
    const scopes = ['payments:write'];
    const own = {
      id: newId(),
      account_id,
      agent_id: null,
      hash: sha256Hex(key),
      prefix: keyPrefixShown(key),
    };
    yield insert('api_keys', {
      ...own,
      name: 'pays',
      kind: 'developer',
      scopes,
      created_at: now_ms,
      expires_at: now_ms + DAY_MS,
      used_at: now_ms,
    });
  }
}

/** Every agent in turn pays the other side of its conversation. */
function sends(talks: readonly Talk[]): Requests {
  return stamped(
    talks.flatMap(({ sides: [one, other] }) =>
      [[one, other] as const, [other, one] as const].map(([from, to]) => {
        const headers = { 'X-API-Key': keyOf(from), 'Idempotency-Key': `pay${STAMPED_KEY}` };
        const body = JSON.stringify({ to_handle: to.handle, amount_cents: 1, note: 'For the ropes of last month' });
        return requestBytes('POST', '/api/wallet/send', headers, body);
      }),
    ),
  );
}

async function sendRow(bench: Bench, talks: readonly Talk[], ours: Child): Promise<Row> {
  const got = await measure(
    bench,
    {
      messages: { target: ours, connections: CONNECTIONS, requests: fromAll(talks) },
      sends: { target: ours, connections: CONNECTIONS, requests: sends(talks) },
    },
    () => atRest(ours),
  );
  return throughputRow('send, 2,000 agents', got.sends, got.messages, 0.9, { against: 'messages', judged: 'rate' });
}

function payments(count: number, wallets: readonly string[]): Payment[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `send:${newId()}`,
    from: wallets[(i * 7_919) % wallets.length] ?? '',
    to: wallets[(i * 7_919 + 1) % wallets.length] ?? '',
    amount_cents: 1 + (i % 100),
  }));
}

/** Gives money to wallets of nobody, so that a bare program may move it. */
function fill(ledger: BareLedger, wallets: readonly string[]): void {
  const first = wallets.map((to) => ({ id: `fund:${newId()}`, from: 'processor', to, amount_cents: FUNDS_CENTS }));
  ledger.book(first, Date.now());
}

const walletsOf = (count: number): string[] => Array.from({ length: count }, () => `wallet:${newId()}`);

/** How many groups of payments a second are booked, for a time. */
async function rateOf(
  book: (group: readonly Payment[]) => Promise<void> | void,
  wallets: readonly string[],
  ms: number,
): Promise<number> {
  const groups = Array.from({ length: 400 }, () => payments(GROUP, wallets));
  const began = performance.now();
  let done = 0;
  for (let used = 0; used < ms && done < groups.length; used = performance.now() - began)
    await book(groups[done++] ?? []);
  return (done * GROUP * 1_000) / (performance.now() - began);
}

async function bookingRow(bench: Bench): Promise<Row> {
  const [own, bare] = [join(bench.folder, 'booked'), join(bench.folder, 'bare')];
  for (const folder of [own, bare]) mkdirSync(folder);
  const store = openForFilling(own);
  await openForFilling(bare).close();
  const ledger = new BareLedger(bare);
  bench.after(() => ledger.close());
  bench.after(() => store.close());
  const [wallets, theirs] = [walletsOf(WALLETS), walletsOf(WALLETS)];
  fill(ledger, theirs);
  const seeds = wallets.map((to) => ({ id: `fund:${newId()}`, from: 'processor', to, amount_cents: FUNDS_CENTS }));
  const effectOf = ({ id, from, to, amount_cents }: Payment): Effect =>
    post(
      { id, kind: 'send', subject_id: id, created_at: Date.now() },
      [{ debit: from as 'processor', credit: to as 'processor', amount_cents }],
      fault('payment_required'),
      fault('conflict'),
    );
  await write(store, seeds.map(effectOf));
  const ours = async (group: readonly Payment[]): Promise<void> => {
    await Promise.all(
      group.map((payment) => store.turn({ attempt: async () => ({ reply: null, effects: [effectOf(payment)] }) })),
    );
  };
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round <= bench.effort.rounds; round++) {
    bench.progress(round / (bench.effort.rounds + 1), 'bookings in process');
    const [mine, their] = [
      await rateOf(ours, wallets, bench.effort.window_ms),
      await rateOf((group) => ledger.book(group, Date.now()), theirs, bench.effort.window_ms),
    ];
    ledger.checkpoint();
    if (round === 0) continue;
    rates.ours.push(mine);
    rates.bare.push(their);
  }
  const ratio = ratios(rates.ours, rates.bare);
  const told = (values: readonly number[]): string => `${Math.round(median(values))}/s`;
  return {
    job: 'booking, groups of 64',
    ours: told(rates.ours),
    ceiling: `bare program ${told(rates.bare)}`,
    ratio,
    target: '≥ 0.5',
    met: ratio.mid >= 0.5,
  };
}

/** How long a check takes, with the 99th percentile of the messages that are posted meanwhile. */
async function checkOnce(server: Child, requests: Requests): Promise<{ ms: number; p99_ms: number }> {
  const began = performance.now();
  let ms = Number.NaN;
  const checked = fetch(`http://127.0.0.1:${server.port}/api/admin/ledger/check`, {
    headers: { 'X-Internal-Token': TOKEN },
  })
    .then((answer) => answer.json() as Promise<{ ok: boolean; problems: unknown[] }>)
    .finally(() => {
      ms = performance.now() - began;
    });
  const p99s: number[] = [];
  while (Number.isNaN(ms)) p99s.push((await load(server, CONNECTIONS, 500, requests)).p99_ms);
  const { ok, problems } = await checked;
  if (!ok) throw new Error(`the ledger of the bench is wrong: ${JSON.stringify(problems).slice(0, 300)}`);
  return { ms, p99_ms: median(p99s) };
}

async function checkRows(bench: Bench, talks: readonly Talk[], server: Child, count: number): Promise<Row[]> {
  await onBothCores(server);
  await atRest(server);
  const requests = fromAll(talks);
  const calm = await measure(bench, { messages: { target: server, connections: CONNECTIONS, requests } });
  const checks: { ms: number; p99_ms: number }[] = [];
  for (let round = 0; round < bench.effort.rounds; round++) {
    bench.progress(round / bench.effort.rounds, 'checking the ledger');
    checks.push(await checkOnce(server, requests));
  }
  const [took, p99_ms] = [median(checks.map(({ ms }) => ms)), median(checks.map((check) => check.p99_ms))];
  const usual = figure(calm.messages, 'p99_ms');
  const ratio = ratios(
    checks.map((check) => check.p99_ms),
    calm.messages.map((sample) => sample.p99_ms),
  );
  return [
    {
      job: `ledger check, ${count.toLocaleString('en-US')} transfers`,
      ours: `${(took / 1_000).toFixed(2)} s`,
      target: '< 5 s',
      met: took < 5_000,
    },
    {
      job: 'messages meanwhile',
      ours: `p99 ${p99_ms.toFixed(2)} ms`,
      ceiling: `p99 ${usual.toFixed(2)} ms`,
      ratio,
      p99_ms,
      target: '≤ 1.5',
      met: ratio.mid <= 1.5,
    },
  ];
}

/** A folder with agents who have money, and a ledger of so many transfers more. */
async function filled(bench: Bench, talks: readonly Talk[], count: number): Promise<string> {
  const data_dir = join(bench.folder, 'money');
  await fillFolder(HERE, data_dir, talks, funded(talks, Date.now()));
  const ledger = new BareLedger(data_dir);
  const wallets = walletsOf(20_000);
  fill(ledger, wallets);
  for (let done = 0; done < count; done += 5_000) {
    bench.progress(done / count, `booking ${count} transfers`);
    ledger.book(payments(5_000, wallets), Date.now());
    ledger.checkpoint();
  }
  ledger.addRows();
  ledger.checkpoint();
  ledger.close();
  return data_dir;
}

export const moneyJob: Job = {
  name: 'money',
  about: 'durable sends beside messages, bookings beside a bare program, and the check of a ledger',
  run: async (bench) => {
    const count = bench.effort.quick ? TRANSFERS / 20 : TRANSFERS;
    const talks = talksOf(AGENTS);
    const ours = await serve(bench, './mesh-server.ts', { ...ENV, DATA_DIR: await filled(bench, talks, count) });
    const sent = await sendRow(bench, talks, ours);
    const checked = await checkRows(bench, talks, ours, count);
    await ours.stop();
    return [sent, await bookingRow(bench), ...checked];
  },
  beside: (bench, here, other) => {
    const talks = talksOf(AGENTS);
    return compare(bench, here, other, {
      fill: (checkout, data_dir) => fillFolder(checkout, data_dir, talks, funded(talks, Date.now())),
      loads: { 'send, 2,000 agents': () => sends(talks) },
    });
  },
};
