// An inbox of a million events: how long a pull and the opening of a stream take at its beginning, in its middle and at its end, beside
// an inbox of a page, and how long the walk of RETENTION takes that deletes all but the newest.
import { join } from 'node:path';
import { OldRows } from '../../actors/retention.ts';
import { apply } from '../../db/effects.ts';
import type { Store } from '../../db/store.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { onServerCore, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { joining, type Member, members, openForFilling, told, write } from './population.ts';
import { median } from './statistics.ts';

const EVENTS = 1_000_000;
const QUICK_EVENTS = 50_000;
const PAGE = 50;
const LAPS = 200;

/** Writes the events of a long and of a short inbox, and marks them as delivered. */
async function fill(bench: Bench, store: Store, [long, short]: readonly Member[], events: number): Promise<void> {
  if (!long || !short) throw new Error('nobody has an inbox');
  const now_ms = Date.now();
  await write(store, joining([long, short], now_ms));
  await write(store, told(short, PAGE, now_ms));
  const step = Math.min(events, 50_000);
  for (let done = 0; done < events; done += step) {
    bench.progress((0.6 * done) / events, 'writes the events');
    await write(store, told(long, step, now_ms));
  }
  const delivered = [apply('inboxes', long.id, ({ last_seq }) => ({ delivered_seq: last_seq }))];
  await store.turn({ attempt: async () => ({ reply: null, effects: delivered }) });
}

async function lap(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The median of many laps, after as many that compile; `work` gets the lap's number, so that no page is read twice. */
async function laps(work: (n: number) => Promise<void>): Promise<number> {
  for (let n = 0; n < LAPS; n++) await work(n);
  const all: number[] = [];
  for (let n = LAPS; n < 2 * LAPS; n++) all.push(await lap(() => work(n)));
  return median(all);
}

/** Reads a page behind a place. */
async function pull(url: string, { key }: Member, after: number): Promise<void> {
  const answer = await fetch(`${url}/api/inbox?after=${after}&limit=${PAGE}`, { headers: { 'X-API-Key': key } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the pull answered ${answer.status}: ${text.slice(0, 200)}`);
}

/** Opens a stream behind a place, until its first event is there. */
async function begin(url: string, { key }: Member, after: number): Promise<void> {
  const leaving = new AbortController();
  const headers = { 'X-API-Key': key, 'Last-Event-ID': `${after}` };
  const answer = await fetch(`${url}/api/inbox/stream`, { headers, signal: leaving.signal });
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader && !text.includes('\ndata:')) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended: ${text.slice(0, 200)}`);
    text += decoder.decode(value, { stream: true });
  }
  leaving.abort();
  await reader?.cancel().catch(() => {});
}

interface Walked {
  readonly whole_ms: number;
  readonly longest_ms: number;
}

/** The walk that finds all of them old; in a process of its own, since the server had the database meanwhile. */
async function walk(data_dir: string): Promise<Walked> {
  const store = openForFilling(data_dir);
  let longest_ms = 0;
  const turn: Store['turn'] = async (asked) => {
    const began = performance.now();
    const outcome = await store.turn(asked);
    longest_ms = Math.max(longest_ms, performance.now() - began);
    return outcome;
  };
  const old = new OldRows({ turn }, { events: DAY_MS });
  const whole_ms = await lap(() => old.goOn(Date.now() + 2 * DAY_MS, () => false, true));
  await store.close();
  return { whole_ms, longest_ms };
}

const [folder] = process.argv.slice(2);
if (import.meta.main && folder !== undefined) console.log(JSON.stringify(await walk(folder)));

/** The walk in a process of its own. */
async function walkApart(data_dir: string): Promise<Walked> {
  const command = [process.execPath, '--no-env-file', import.meta.path, data_dir];
  const child = Bun.spawn(onServerCore(command), { stdout: 'pipe', stderr: 'inherit' });
  // Its own words.
  return JSON.parse(await new Response(child.stdout).text()) as Walked;
}

async function run(bench: Bench): Promise<Row[]> {
  const events = bench.effort.quick ? QUICK_EVENTS : EVENTS;
  const data_dir = join(bench.folder, 'inbox');
  const [long, short] = members(2);
  if (!long || !short) throw new Error('nobody has an inbox');
  const filling = openForFilling(data_dir);
  await fill(bench, filling, [long, short], events);
  await filling.close();
  const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'error', DATA_DIR: data_dir };
  const server = await serve(bench, './mesh-server.ts', env);
  const url = `http://127.0.0.1:${server.port}`;
  const rows: Row[] = [];
  const places = [
    ['beginning', 0] as const,
    ['middle', events / 2] as const,
    ['end', events - 3 * PAGE * LAPS] as const,
  ];
  for (const [what, act] of [['pull of a page', pull] as const, ['stream until its first event', begin] as const]) {
    bench.progress(0.7, what);
    const ceiling = await laps(() => act(url, short, 0));
    for (const [where, after] of places) {
      const ours = await laps((n) => act(url, long, after + n * PAGE));
      const ratio = ours / ceiling;
      rows.push({
        job: `${what} at the ${where} of ${events} events`,
        ours: `${ours.toFixed(2)} ms`,
        ceiling: `inbox of ${PAGE}: ${ceiling.toFixed(2)} ms`,
        ratio: { mid: ratio, min: ratio, max: ratio },
        target: '',
        met: null,
      });
    }
  }
  await server.stop();
  bench.progress(0.9, 'deletes them');
  const { whole_ms, longest_ms } = await walkApart(data_dir);
  const speed = `${Math.round((1_000 * events) / whole_ms)} events/s, longest turn ${longest_ms.toFixed(1)} ms`;
  rows.push({ job: 'walk of RETENTION through them', ours: speed, target: '', met: null });
  return rows;
}

export const inboxJob: Job = {
  name: 'inbox',
  about: 'pull, stream start and deletion of an inbox of a million events',
  run,
};
