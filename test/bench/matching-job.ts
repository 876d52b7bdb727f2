// Matching one new listing against 10,000 and 100,000 live ones, what its creation costs by itself, what a listing takes in memory,
// a million vectors alone, re-embedding, and whether the fast scan ever loses against an exact one. In one process, through the
// code that the service runs; judged by CPU time, of which other programs take nothing.

import { join } from 'node:path';
import { apply } from '../../db/effects.ts';
import type { Read } from '../../db/store.ts';
import { type Near, VectorIndex } from '../../db/vectors/vector-index.ts';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { WOKEN_MAX } from '../../src/domain/demand/demand.ts';
import { embeddingText } from '../../src/domain/listing/listing.ts';
import { MATCHES_BEST } from '../../src/domain/match/rank.ts';
import { packSignature } from '../../src/domain/text/signature.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { type Running, start } from '../../src/main.ts';
import { findFits } from '../../src/matching/score.ts';
import { embedText } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import { signatureOf } from '../../src/outbound/embedder/signature.ts';
import type { Bench, Job, Row } from './job.ts';
import { listings, type NewListing, publish, publishing, vectorOf } from './listings.ts';
import { type Member, members, openForFilling, write } from './population.ts';
import { percentile } from './statistics.ts';

const SAMPLES = 200;
const OWNERS = 200;
const MILLION = 1_000_000;
const EXACT_QUERIES = 50;
const TOP = 20;
const REMEMBERED = 100_000;
const CREATED_MS = 2;
/** For a request for quotes, whose ceiling is above the price of each offer. */
const WOKEN_MS = 60;
const BUDGET_CENTS = 1_000_000;

interface Timed {
  readonly times: readonly number[];
  /** CPU time of the whole process per call; what else the machine does is not in it. */
  readonly cpu_us: number;
}

/** Times of one call after another, in milliseconds. */
async function timed(count: number, call: (n: number) => Promise<unknown> | unknown): Promise<Timed> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < count; n++) {
    const started_ms = performance.now();
    await call(n);
    times.push(performance.now() - started_ms);
  }
  const { user, system } = process.cpuUsage(before);
  return { times, cpu_us: (user + system) / count };
}

function row(job: string, { times, cpu_us }: Timed, most_ms: number | null, note?: string): Row {
  const [p50_ms, p99_ms, cpu_ms] = [percentile(times, 0.5), percentile(times, 0.99), cpu_us / 1_000];
  const ours = `${cpu_ms.toFixed(cpu_ms < 1 ? 3 : 2)} ms of CPU`;
  const target = most_ms === null ? '' : `< ${most_ms} ms`;
  return { job, ours, p50_ms, p99_ms, cpu_us, target, met: most_ms === null ? null : cpu_ms < most_ms, note };
}

async function serveHere(data_dir: string): Promise<Running> {
  const config = readConfig({ DATA_DIR: data_dir, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' });
  if (isConfigProblem(config)) throw new Error(config.problem);
  return start(config);
}

/** Publishes through the door: created, embedded, matched and committed before the answer. */
async function post(running: Running, owner: Member, listing: NewListing): Promise<void> {
  const { card_type, headline, description, geo, labels, price_cents, budget_cents } = listing;
  const given = { card_type, headline, description, geo, labels, price_cents, budget_cents };
  const body = JSON.stringify(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)));
  const answer = await fetch(`${running.url}/api/agents/${owner.handle}/cards`, {
    method: 'POST',
    headers: { 'X-API-Key': owner.key, 'Content-Type': 'application/json' },
    body,
  });
  if (answer.status !== 201) throw new Error(`a listing was refused: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** Posts a request for quotes through the door, for what a listing is about: 25 sellers have to be woken by it. */
async function ask(running: Running, asker: Member, { headline, description, labels }: NewListing): Promise<void> {
  const closes_at = new Date(Date.now() + 2 * HOUR_MS).toISOString();
  const answer = await fetch(`${running.url}/api/demand`, {
    method: 'POST',
    headers: { 'X-API-Key': asker.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ headline, description, labels, budget_cents: BUDGET_CENTS, closes_at }),
  });
  const told = await answer.text();
  if (answer.status !== 201 || JSON.parse(told).woken !== WOKEN_MAX) {
    throw new Error(`a request woke too few: ${answer.status} ${told}`);
  }
}

/** Requests for quotes, each by another account, and timed after the first are compiled. */
async function asked(
  running: Running,
  askers: readonly Member[],
  about: Iterator<NewListing, never>,
  count: number,
): Promise<Row> {
  const asking = async (n: number): Promise<void> => {
    const asker = askers[n];
    if (!asker) throw new Error('too few askers');
    await ask(running, asker, about.next().value);
  };
  const first = SAMPLES / 8;
  for (let n = 0; n < first; n += 1) await asking(n);
  const wanted = await timed(SAMPLES / 4, (n) => asking(n + first));
  const note = 'over HTTP with its client: checked, compared, 25 events and their counts committed';
  return row(`post a request that wakes ${WOKEN_MAX} of ${count}`, wanted, WOKEN_MS, note);
}

/** A service on a folder with so many live listings, and their ids. */
async function servedWith(bench: Bench, count: number, owners: readonly Member[]): Promise<[Running, string[]]> {
  const data_dir = join(bench.folder, String(count));
  const store = openForFilling(data_dir);
  const effects = [...publishing(count, owners)];
  await write(store, effects);
  const unseen = owners[1]?.id ?? '';
  await write(store, [apply('agents', unseen, () => ({ visibility: 'hidden' as const }))]);
  await store.close();
  const running = await serveHere(data_dir);
  bench.after(() => running.stop());
  return [running, effects.flatMap((effect) => (effect.do === 'embed' ? [effect.listing_id] : []))];
}

async function against(bench: Bench, count: number, most_ms: number, from: number): Promise<Row[]> {
  bench.progress(from, `writing ${count} listings`);
  const owners = members(OWNERS);
  const [owner, unseen] = owners;
  if (!owner || !unseen) throw new Error('no owner');
  const [running, ids] = await servedWith(bench, count, owners);
  bench.progress(from + 0.2, `matching against ${count}`);
  const { world } = running.service;
  const read: Read = world.store.read;
  const fresh = listings(owners, 2);
  const made = Array.from({ length: SAMPLES }, () => fresh.next().value);
  for (const listing of made) await write(world.store, publish(listing));
  let lonely = 0;
  const last: number[] = [];
  const match = (): Promise<Timed> =>
    timed(SAMPLES, async (n) => {
      const fits = (await findFits(world, read, made[n]?.id ?? ''))?.fits ?? [];
      if (fits.length === 0) lonely += 1;
      last.push(fits[MATCHES_BEST - 1]?.score ?? 0);
    });
  const first = await match();
  // Prices and places may shut a listing out; if that happened often, something else would have been measured.
  if (lonely > SAMPLES / 10) throw new Error(`${lonely} of ${SAMPLES} listings found nothing`);
  const found = await match();
  // As in a network whose listings have their best: what the middle one of those above asks for, all ask for.
  const threshold = percentile(last, 0.5);
  for (const id of ids) world.store.vectors.setThreshold(id, threshold, world.clock.now() + HOUR_MS);
  const limited = await match();
  // The first calls through the door are not compiled yet.
  for (let n = 0; n < SAMPLES / 4; n += 1) await post(running, unseen, fresh.next().value);
  const created = await timed(SAMPLES / 4, () => post(running, unseen, fresh.next().value));
  const posted = await timed(SAMPLES / 4, () => post(running, owner, fresh.next().value));
  return [
    await asked(running, owners.slice(2), fresh, count),
    row(
      `match against ${count}`,
      found,
      most_ms,
      `${(first.cpu_us / 1_000).toFixed(1)} ms while listings are first read`,
    ),
    row(
      `the same where all have their best`,
      limited,
      most_ms,
      `who scores ${threshold.toFixed(2)} or more may interest them`,
    ),
    row(
      `create a listing beside ${count}`,
      created,
      CREATED_MS,
      'over HTTP with its client: checked, embedded, stored',
    ),
    row(
      `POST a listing beside ${count}`,
      posted,
      null,
      'over HTTP: checked, embedded, stored, matched, up to 50 matches and 100 events committed',
    ),
  ];
}

/** What a listing takes in the index: vectors by themselves, with words, and with labels as well. */
function remembered(): Row {
  const made = listings(members(REMEMBERED / 50), 5);
  const rows = Array.from({ length: REMEMBERED }, () => {
    const listing = made.next().value;
    const { id, agent_id, direction: side, card_type, labels } = listing;
    return {
      id,
      vector: vectorOf(listing),
      terms: packSignature(signatureOf(embeddingText(listing))),
      agent_id,
      side,
      card_type,
      labels,
    };
  });
  const kept: VectorIndex[] = [];
  const grown = (with_words: boolean, with_labels: boolean): number => {
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    const index = new VectorIndex(EMBEDDING_DIMENSIONS);
    for (const { id, vector, terms, labels, ...entry } of rows)
      index.set(id, vector, { ...entry, terms: with_words ? terms : null, labels: with_labels ? labels : [] });
    kept.push(index);
    Bun.gc(true);
    return (process.memoryUsage.rss() - before) / REMEMBERED;
  };
  const [vectors, words, all] = [grown(false, false), grown(true, false), grown(true, true)].map(Math.round);
  const parts = `vectors and places ${vectors}, words ${(words ?? 0) - (vectors ?? 0)}, labels ${(all ?? 0) - (words ?? 0)}`;
  return {
    job: `memory of the index for each of ${REMEMBERED} listings`,
    ours: `${all} bytes`,
    target: '',
    met: null,
    note: parts,
  };
}

/** The scores of the best by plain arithmetic over every vector. */
function exactScores(query: Int8Array, all: readonly Int8Array[]): number[] {
  const length = (v: Int8Array): number => Math.sqrt(v.reduce((sum, value) => sum + value * value, 0));
  const own = length(query);
  const scores = all.map((vector) => {
    let dot = 0;
    for (let i = 0; i < vector.length; i++) dot += (vector[i] ?? 0) * (query[i] ?? 0);
    return dot / (own * length(vector) || 1);
  });
  return scores.sort((a, b) => b - a).slice(0, TOP);
}

const OFFERED = { side: 'offer', labels: [], card_type: 'selling', terms: null } as const;

/** The nearest offers by vector alone. */
function nearest(index: VectorIndex, vector: Int8Array): readonly Near[] {
  const wanted = { card_type: 'selling', exceptAgent: '', floor: Number.MIN_VALUE, now_ms: 0 };
  const around = { vector, terms: null, labels: new Map() };
  return index.look(around, ['offer'], wanted, (_telling, cosine) => Math.max(0, cosine)).near;
}

function loss(): Row {
  const index = new VectorIndex(EMBEDDING_DIMENSIONS);
  const made = listings(members(OWNERS), 3);
  const all: Int8Array[] = [];
  for (let n = 0; n < 10_000; n++) {
    const listing = made.next().value;
    const vector = vectorOf(listing);
    all.push(vector);
    index.set(listing.id, vector, { ...OFFERED, agent_id: listing.agent_id });
  }
  let different = 0;
  for (let n = 0; n < EXACT_QUERIES; n++) {
    const query = vectorOf(made.next().value);
    const exact = exactScores(query, all);
    const fast = nearest(index, query).map(({ cosine }) => cosine);
    // Scores, not ids: of several listings that are equally near, any may be told.
    different += exact.filter((score, rank) => Math.abs(score - (fast[rank] ?? Number.NaN)) > 1e-5).length;
    different += Math.max(0, exact.length - fast.length);
  }
  return {
    job: `match, loss against exact top ${TOP}`,
    ours: `${different} of ${EXACT_QUERIES * TOP}`,
    target: '0',
    met: different === 0,
  };
}

async function million(): Promise<Row> {
  const index = new VectorIndex(EMBEDDING_DIMENSIONS);
  const bytes = new Int8Array(EMBEDDING_DIMENSIONS);
  for (let n = 0; n < MILLION; n++) {
    crypto.getRandomValues(bytes);
    index.set(`v${n}`, bytes, { ...OFFERED, agent_id: 'someone' });
  }
  const times = await timed(40, () => nearest(index, crypto.getRandomValues(bytes)));
  return row('match, 1,000,000 vectors only', times, 60);
}

async function embedding(): Promise<Row> {
  const made = listings(members(OWNERS), 4);
  const texts = Array.from({ length: 2_000 }, () => {
    const listing = made.next().value;
    return embeddingText(listing);
  });
  const times = await timed(texts.length, (n) => embedText(texts[n] ?? ''));
  return row('re-embedding a listing', times, 1);
}

export const matchingJob: Job = {
  name: 'matching',
  about: 'one new listing against 10,000 and 100,000 live ones, its creation, its memory, and a million vectors',
  run: async (bench) => {
    // First, while nothing that was freed can be used again.
    const memory = remembered();
    const rows = [memory, ...(await against(bench, 10_000, 5, 0)), ...(await against(bench, 100_000, 12, 0.3))];
    bench.progress(0.8, 'a million vectors');
    rows.push(await million());
    bench.progress(0.95, 'exactness');
    return [...rows, await embedding(), loss()];
  },
};
