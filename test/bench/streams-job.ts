// 9,000 open inbox streams: what each costs in memory, how fast an event reaches one of them, and a thousand of them,
// beside bare nginx with nchan holding as many streams in the same run.
import { join } from 'node:path';
import { type Caller, connectCaller } from './caller.ts';
import { type Child, serve, type Told } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { inTurn, load, requestBytes, type Target } from './load.ts';
import { monotonicMs } from './monotonic.ts';
import { startNchan } from './nchan.ts';
import { joining, type Member, members, openForFilling, write } from './population.ts';
import { memory } from './process-figures.ts';
import { median, percentile, ratios } from './statistics.ts';
import { openStreams, type Streams, subscription } from './stream-sockets.ts';

const STREAMS = 9_000;
/** Opened and closed before memory is first looked at, so that code and pools are there already. */
const WARM_STREAMS = 500;
const FAN_OUT = 1_000;
/** nchan's streams on one channel of all; the rest have a channel each, as our agents have an inbox each. */
const SHARED = FAN_OUT;
const SETTLE_MS = 1_500;
const KB = 1_024;

async function fill(data_dir: string): Promise<Member[]> {
  const store = openForFilling(data_dir);
  const all = members(STREAMS);
  await write(store, joining(all, Date.now()));
  await store.close();
  return all;
}

async function settled(server: Child): Promise<number> {
  await Bun.sleep(SETTLE_MS);
  await server.ask({ ask: 'collect' });
  await Bun.sleep(SETTLE_MS);
  return memory(server.pid).rss_kb;
}

async function openAll(bench: Bench, server: Child, all: readonly Member[]): Promise<{ streams: Streams; row: Row }> {
  const requests = all.map(subscription);
  const warm = await openStreams(server.port, requests.slice(0, WARM_STREAMS), () => {});
  for (let i = 0; i < 3; i++)
    await server.ask({ ask: 'tell', agent_ids: all.slice(0, WARM_STREAMS).map(({ id }) => id) });
  warm.close();
  const before_kb = await settled(server);
  const streams = await openStreams(server.port, requests, (share) =>
    bench.progress(share * 0.3, `opening ${STREAMS} streams`),
  );
  bench.after(() => streams.close());
  const after_kb = await settled(server);
  const each_kb = (after_kb - before_kb) / STREAMS;
  const row: Row = {
    job: `streams, ${STREAMS} open`,
    ours: `${each_kb.toFixed(1)} KB each`,
    target: '≤ 12 KB',
    met: each_kb <= 12,
    note: `resident ${(before_kb / KB).toFixed(0)} MB before, ${(after_kb / KB).toFixed(0)} MB with them, each after a collection`,
  };
  return { streams, row };
}

/** Resolves with the time of the next event on one stream. */
function nextOn(streams: Streams, wanted: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  streams.listen((index, at_ms) => {
    if (index === wanted) resolve(at_ms);
  });
  return promise;
}

/** Resolves with the time at which the last of the streams [from, from + count) has had an event. */
function allOf(streams: Streams, from: number, count: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let missing = count;
  streams.listen((index, at_ms) => {
    if (index < from || index >= from + count) return;
    missing -= 1;
    if (missing === 0) resolve(at_ms);
  });
  return promise;
}

function nextCommit(server: Child): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  server.tells((told: Told) => {
    if (told.told === 'committed') resolve(told.at_ms);
  });
  return promise;
}

interface Pair {
  readonly ours: Child;
  readonly our_streams: Streams;
  readonly all: readonly Member[];
  readonly nchan: Target;
  readonly nchan_streams: Streams;
  readonly callers: { readonly ours: Caller; readonly nchan: Caller };
}

const EVENT_JSON = JSON.stringify({ seq: 1, kind: 'test.ping', handle: 'agent', data: { message: 'x'.repeat(180) } });

/** One event to one of all streams, on either side. */
async function toOne(pair: Pair, index: number): Promise<{ ours: number; nchan: number }> {
  const { ours, our_streams, all, nchan_streams, callers } = pair;
  const member = all[index];
  if (!member) throw new Error('no such member');
  const byte = nextOn(our_streams, index);
  const commit = nextCommit(ours);
  await callers.ours.call(requestBytes('POST', '/api/inbox/test', { 'X-API-Key': member.key }, '{}')).answered;
  const ours_ms = (await byte) - (await commit);
  const channel = SHARED + (index % (STREAMS - SHARED));
  const heard = nextOn(nchan_streams, channel);
  const { sent_ms, answered } = callers.nchan.call(requestBytes('POST', `/pub/c${channel}`, {}, EVENT_JSON));
  await answered;
  return { ours: ours_ms, nchan: (await heard) - sent_ms };
}

async function latency(bench: Bench, pair: Pair): Promise<Row[]> {
  const samples = bench.effort.quick ? 200 : 400;
  const [ours, nchan]: [number[][], number[][]] = [[], []];
  for (let round = 0; round <= bench.effort.rounds; round++) {
    bench.progress(0.5 + (0.25 * round) / bench.effort.rounds, 'one event at a time');
    const times: { ours: number; nchan: number }[] = [];
    for (let i = 0; i < samples; i++) times.push(await toOne(pair, (i * 7_919 + round) % STREAMS));
    if (round === 0) continue;
    ours.push(times.map((time) => time.ours));
    nchan.push(times.map((time) => time.nchan));
  }
  return ([0.5, 0.99] as const).map((share): Row => {
    const at = (rounds: readonly number[][]): number[] => rounds.map((times) => percentile(times, share));
    const ratio = ratios(at(ours), at(nchan));
    const name = share === 0.5 ? 'p50' : 'p99';
    return {
      job: `streams, commit to byte, ${name}`,
      ours: `${median(at(ours)).toFixed(3)} ms`,
      ceiling: `nchan ${median(at(nchan)).toFixed(3)} ms`,
      ratio,
      target: '≤ 2',
      met: ratio.mid <= 2,
    };
  });
}

async function fanOut(bench: Bench, pair: Pair): Promise<Row[]> {
  const { ours, our_streams, all, nchan, nchan_streams, callers } = pair;
  const to_all = requestBytes('POST', '/pub/all', {}, EVENT_JSON);
  const agent_ids = all.slice(0, FAN_OUT).map(({ id }) => id);
  const own = Array.from({ length: FAN_OUT }, (_, i) => requestBytes('POST', `/pub/c${SHARED + i}`, {}, EVENT_JSON));
  const repeats = bench.effort.quick ? 5 : 10;
  const figures = { committed: [] as number[], turned: [] as number[], apart: [] as number[], shared: [] as number[] };
  for (let round = 0; round <= bench.effort.rounds; round++) {
    bench.progress(0.75 + (0.25 * round) / bench.effort.rounds, `to ${FAN_OUT} streams`);
    const times = { committed: 0, turned: 0, apart: 0, shared: 0 };
    for (let i = 0; i < repeats; i++) {
      const [last, commit] = [allOf(our_streams, 0, FAN_OUT), nextCommit(ours)];
      const done = await ours.ask({ ask: 'tell', agent_ids });
      const last_ms = await last;
      times.committed += last_ms - (await commit);
      if (done.told === 'done') times.turned += last_ms - done.started_ms;
      const each = allOf(nchan_streams, SHARED, FAN_OUT);
      const started_ms = monotonicMs();
      await load(nchan, 64, 0, inTurn(own), FAN_OUT);
      times.apart += (await each) - started_ms;
      const same = allOf(nchan_streams, 0, SHARED);
      const { sent_ms, answered } = callers.nchan.call(to_all);
      await answered;
      times.shared += (await same) - sent_ms;
    }
    if (round === 0) continue;
    for (const name of ['committed', 'turned', 'apart', 'shared'] as const) {
      figures[name].push((FAN_OUT * repeats * 1_000) / times[name]);
    }
  }
  const row = (
    job: string,
    mine: readonly number[],
    theirs: readonly number[],
    against: string,
    target: boolean,
  ): Row => {
    const ratio = ratios(mine, theirs);
    return {
      job,
      ours: `${Math.round(median(mine))} events/s`,
      ceiling: `${against} ${Math.round(median(theirs))}/s`,
      ratio,
      target: target ? '≥ 0.8' : '',
      met: target ? ratio.mid >= 0.8 : null,
    };
  };
  const { committed, turned, apart, shared } = figures;
  return [
    row(`streams, to ${FAN_OUT}, from commit`, committed, apart, 'nchan, a channel each', true),
    row(`streams, to ${FAN_OUT}, with the commit`, turned, apart, 'nchan, a channel each', false),
    row(`streams, to ${FAN_OUT}, from commit`, committed, shared, 'nchan, one channel', false),
  ];
}

export const streamsJob: Job = {
  name: 'streams',
  about: `${STREAMS} open inbox streams beside nginx with nchan`,
  run: async (bench) => {
    bench.progress(0, `writing ${STREAMS} agents`);
    const data_dir = join(bench.folder, 'data');
    const all = await fill(data_dir);
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DATA_DIR: data_dir, BENCH_TELLS: 'commits' };
    const ours = await serve(bench, './mesh-server.ts', env);
    const { streams, row } = await openAll(bench, ours, all);
    const nchan = await startNchan(bench);
    if (!nchan) {
      const note = 'nginx and libnginx-mod-nchan are not installed';
      return [row, { job: 'streams, beside nchan', ours: '', target: '≤ 2, ≥ 0.8', met: null, note }];
    }
    const requests = Array.from({ length: STREAMS }, (_, i) =>
      requestBytes('GET', i < SHARED ? '/sub/all' : `/sub/c${i}`, { Accept: 'text/event-stream' }),
    );
    const nchan_streams = await openStreams(nchan.port, requests, (share) =>
      bench.progress(0.3 + share * 0.2, 'the same with nchan'),
    );
    bench.after(() => nchan_streams.close());
    const callers = { ours: await connectCaller(ours.port), nchan: await connectCaller(nchan.port) };
    const pair: Pair = { ours, our_streams: streams, all, nchan, nchan_streams, callers };
    return [row, ...(await latency(bench, pair)), ...(await fanOut(bench, pair))];
  },
};
