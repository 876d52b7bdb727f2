// Runs a market through a service of this process: accounts and agents are written as signing up leaves them, each
// listing is published by its owner over HTTP, in a seeded order, and what every owner is shown is read back.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachAtOnce } from '../../src/cli/demo/load.ts';
import type { Progress } from '../../src/cli/demo/progress.ts';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { type Running, start } from '../../src/main.ts';
import { RUN_LISTING } from '../../src/steps/listing/derived.ts';
import { WEIGH } from '../../src/steps/listing/weigh.ts';
import { remindNow } from '../../src/steps/reminder.ts';
import { joining, type Member, members, openForFilling, write } from '../../test/bench/population.ts';
import { Random } from '../../test/sim/random.ts';
import { readStoredRows } from '../../test/support/store.ts';
import type { Listing } from './markets.ts';

/** A pair that is open, by the ids of the two listings given. */
export interface Shown {
  readonly offer: string;
  readonly seek: string;
  /** 0 to 1. */
  readonly score: number;
}

const SEED = 7;
/** Every seek can pay what every offer asks. */
const PRICE_CENTS = 50_000;
const BUDGET_CENTS = 100_000;
/** One run finds so many new pairs and no more, so that a listing that suits many needs several. */
const SETTLING_MAX = 8;
/** Settled is what changes by less in a round of all listings: far below the width of an interval. */
const SETTLED_SHARE = 0.001;
/** Rounds that most markets take, the last of which finds nothing new. */
const ROUNDS_USUAL = 2;
const RUNS_AT_ONCE = 50;

function shuffled<T>(items: readonly T[]): T[] {
  const random = new Random(SEED, 'arrival');
  const all = [...items];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1);
    const [a, b] = [all[i], all[j]];
    if (a !== undefined && b !== undefined) [all[i], all[j]] = [b, a];
  }
  return all;
}

/** Single letters are no words to the embedder, and no phone number to whoever looks for one. */
const LETTERS = 'abcdefghij';

/** What an owner sends; `n` is a number of its own, which stands for labels that are withheld. */
function bodyOf({ card_type, headline, description, geo, labels }: Listing, n: number): object {
  const seeks = card_type === 'hiring' || card_type === 'buying';
  return {
    card_type,
    headline,
    labels: labels.length > 0 ? labels : [[...String(n)].map((digit) => LETTERS[Number(digit)]).join('-')],
    ...(description === '' ? {} : { description }),
    ...(geo === null ? {} : { geo }),
    ...(seeks ? { budget_cents: BUDGET_CENTS } : { price_cents: PRICE_CENTS }),
  };
}

/** Publishes a listing; null when it is not live: a few wait for an administrator's review, or seem to hold a phone
 * number. */
async function publish(running: Running, owner: Member, listing: Listing, n: number): Promise<string | null> {
  const answer = await fetch(`${running.url}/api/agents/${owner.handle}/cards`, {
    method: 'POST',
    headers: { 'X-API-Key': owner.key, 'Content-Type': 'application/json' },
    body: JSON.stringify(bodyOf(listing, n)),
  });
  const made = (await answer.json()) as { id?: string; status?: string; error?: string };
  const { id, status, error } = made;
  if (answer.status === 201 && id !== undefined && status !== 'draft') return status === 'live' ? id : null;
  if (error === 'disclosure_refused') return null;
  throw new Error(`${listing.id} was not taken: ${answer.status} ${JSON.stringify(made)}`);
}

interface StoredPair {
  readonly offer_id: string;
  readonly seek_id: string;
  readonly score_ppm: number;
}

// Past the operations that show matches, since a plan shows 100 of them a month; what they would show is this.
async function openPairs(data_dir: string): Promise<StoredPair[]> {
  const statement = `SELECT offer_id, seek_id, score_ppm FROM matches
    WHERE status = 'pending' AND seek_visible = 1 AND offer_visible = 1 ORDER BY offer_id, seek_id`;
  return (await readStoredRows(data_dir, statement)) as unknown as StoredPair[];
}

/** The pairs that are open, as one text each. */
async function standing(data_dir: string): Promise<Set<string>> {
  return new Set((await openPairs(data_dir)).map(({ offer_id, seek_id }) => `${offer_id} ${seek_id}`));
}

/** Matches every listing again until hardly a pair comes or goes, so that the order of arrival does not matter. */
async function settle(
  { service }: Running,
  data_dir: string,
  ids: readonly string[],
  progress: Progress,
): Promise<void> {
  const { store, tasks } = service.world;
  // In a service that goes on for longer than this one, words are weighed some minutes after listings came.
  const weigh = remindNow(WEIGH, {}, { key: 'now', now_ms: Date.now() });
  await store.turn({ attempt: async () => ({ reply: null, effects: [weigh] }) });
  await service.supervisor.runDue();
  await tasks.idle();
  for (let round = 0, before = new Set<string>(); round < SETTLING_MAX; round += 1) {
    await service.supervisor.runDue();
    const now = await standing(data_dir);
    if (now.symmetricDifference(before).size <= now.size * SETTLED_SHARE) return;
    before = now;
    for (let at = 0; at < ids.length; at += RUNS_AT_ONCE) {
      const effects = ids
        .slice(at, at + RUNS_AT_ONCE)
        .map((listing_id) => remindNow(RUN_LISTING, { listing_id }, { key: listing_id, now_ms: Date.now() }));
      await store.turn({ attempt: async () => ({ reply: null, effects }) });
      await service.supervisor.runDue();
      if (round < ROUNDS_USUAL) for (const _ of effects) progress.step();
    }
  }
}

/** How often progress is told while a market of so many listings is run. */
export function stepsOf(listings: number): number {
  return listings * (1 + ROUNDS_USUAL);
}

/** Publishes all listings and answers the pairs that are open when matching has settled, best first; of equal ones the
 * one whose agent's handle comes first. */
export async function matchesOf(listings: readonly Listing[], progress: Progress): Promise<Shown[]> {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-quality-'));
  const owners = members(listings.length);
  const store = openForFilling(data_dir);
  await write(store, joining(owners, Date.now()));
  await store.close();
  const config = readConfig({ DATA_DIR: data_dir, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'error' });
  if (isConfigProblem(config)) throw new Error(config.problem);
  const running = await start(config);
  try {
    const published = new Map<string, { readonly row: string; readonly n: number }>();
    await eachAtOnce(shuffled(listings), async (listing, n) => {
      const owner = owners[n];
      const id = owner ? await publish(running, owner, listing, n) : null;
      if (id !== null) published.set(id, { row: listing.id, n });
      progress.step();
    });
    const held = listings.length - published.size;
    // Their seeks are shown nobody, which counts against the service.
    if (held > 0) console.error(`${held} of ${listings.length} listings are not live`);
    await settle(running, data_dir, [...published.keys()], progress);
    const of = (id: string): { row: string; n: number } => published.get(id) ?? { row: id, n: 0 };
    return (await openPairs(data_dir))
      .map((pair) => ({ score: pair.score_ppm / 1_000_000, offer: of(pair.offer_id), seek: of(pair.seek_id) }))
      .sort((a, b) => b.score - a.score || a.offer.n - b.offer.n || a.seek.n - b.seek.n)
      .map(({ score, offer, seek }) => ({ score, offer: offer.row, seek: seek.row }));
  } finally {
    await running.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}
