// Reminders: two thousand letters that are due at one moment, and what they take from the message POST beside them. Who
// writes holds a stream open, so that messages ask for no letters of their own.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apply, type Effect } from '../../db/effects.ts';
import { remindLetter } from '../../src/steps/mail/letter.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { load } from './load.ts';
import { joining, type Member, members, newId, openForFilling, talking, told, write } from './population.ts';
import { median, ratios } from './statistics.ts';
import { openStreams, subscription } from './stream-sockets.ts';
import { fillTalks, fromAll, type Talk, talksOf } from './talks.ts';

const LETTERS = 2_000;
const TALKERS = 200;
const CONNECTIONS = 64;
/** From the writing of the database to the first letter: the server starts, and is warmed up, in the meantime. */
const FIRST_MS = 12_000;
/** Between two rounds' letters, beside the windows: those of one are out before the next. */
const APART_MS = 8_000;
const LATE_MS = 30_000;

/** People with an agent and a thread each, and the letter about what was said in it. */
function* waiting(all: readonly Member[], due_ms: number, now_ms: number): Generator<Effect> {
  const [other] = all;
  yield* joining(all, now_ms);
  for (const member of all) {
    const conversation_id = newId();
    if (other) yield talking(conversation_id, other, member, now_ms);
    for (const event of told(member, 1, now_ms)) {
      yield event.do === 'event' ? { ...event, data: { ...event.data, conversation_id } } : event;
    }
    // Otherwise the server would ask for the letter anew when it starts, and at once.
    yield apply('inboxes', member.id, () => ({ delivered_seq: 1 }));
    yield remindLetter(member.id, { from: 1, through: null }, due_ms, now_ms);
  }
}

interface Filled {
  readonly talks: readonly Talk[];
  /** When each round's letters are due. */
  readonly due_ms: readonly number[];
}

async function fill(data_dir: string, { effort }: Bench): Promise<Filled> {
  const store = openForFilling(data_dir);
  const talks = talksOf(TALKERS);
  await fillTalks(store, talks);
  const now_ms = Date.now();
  const all = members(LETTERS * effort.rounds).map((one) => ({
    ...one,
    handle: one.handle.replace('agent', 'reader'),
  }));
  const due_ms = Array.from(
    { length: effort.rounds },
    (_, round) => now_ms + FIRST_MS + round * (APART_MS + 2 * effort.window_ms),
  );
  for (const [round, due] of due_ms.entries()) {
    const round_members = all.slice(round * LETTERS, (round + 1) * LETTERS);
    await write(store, waiting(round_members, due, now_ms));
  }
  await store.close();
  return { talks, due_ms };
}

/** How many letters are out. */
function sent(data_dir: string): number {
  try {
    return readdirSync(join(data_dir, 'outbox')).filter((name) => name.endsWith('.eml')).length;
  } catch {
    // The folder comes with the first letter.
    return 0;
  }
}

/** Milliseconds from a round's due time until its letters are out. */
async function workedOff(data_dir: string, due_ms: number, count: number): Promise<number> {
  while (sent(data_dir) < count) {
    if (Date.now() - due_ms > LATE_MS) throw new Error(`only ${sent(data_dir)} of ${count} letters are out`);
    await Bun.sleep(20);
  }
  return Date.now() - due_ms;
}

async function rounds(bench: Bench, ours: Child, data_dir: string, { talks, due_ms }: Filled): Promise<Row[]> {
  const { window_ms } = bench.effort;
  const [alone, beside, took]: [number[], number[], number[]] = [[], [], []];
  const requests = fromAll(talks);
  await load(ours, CONNECTIONS, window_ms, requests);
  for (const [round, due] of due_ms.entries()) {
    bench.progress(round / due_ms.length, `round ${round + 1} of ${due_ms.length}`);
    await Bun.sleep(Math.max(0, due - window_ms - Date.now()));
    alone.push((await load(ours, CONNECTIONS, window_ms, requests)).per_second);
    const out = workedOff(data_dir, due, LETTERS * (round + 1));
    await Bun.sleep(Math.max(0, due - Date.now()));
    beside.push((await load(ours, CONNECTIONS, window_ms, requests)).per_second);
    took.push(await out);
  }
  const ratio = ratios(beside, alone);
  return [
    {
      job: `messages while ${LETTERS} letters are due`,
      ours: `${Math.round(median(beside))}/s`,
      ceiling: `without ${Math.round(median(alone))}/s`,
      ratio,
      target: '≥ 0.8',
      met: ratio.mid >= 0.8,
      note: `the letters were out after ${Math.round(median(took))} ms`,
    },
  ];
}

export const remindersJob: Job = {
  name: 'reminders',
  about: `${LETTERS} letters due at once, and messages beside them`,
  run: async (bench) => {
    bench.progress(0, 'writing people whose letters wait');
    const data_dir = join(bench.folder, 'data');
    const filled = await fill(data_dir, bench);
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DATA_DIR: data_dir };
    const ours = await serve(bench, './mesh-server.ts', env);
    const subscriptions = filled.talks.flatMap(({ sides }) => sides.map(subscription));
    const streams = await openStreams(ours.port, subscriptions, () => {});
    bench.after(() => streams.close());
    return rounds(bench, ours, data_dir, filled);
  },
};
