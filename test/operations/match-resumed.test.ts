// A listing that more want than one run may tell is matched on in the background, and a service that dies half-way through
// goes on where it was: each pair is made once, and nobody is told of one twice.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pairsOfListing } from '../../db/queries/match.ts';
import type { Store } from '../../db/store.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf, LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { dropStore } from '../support/store.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const BUYERS = 12;
const SEEKS_EACH = 10;
const SEEKS = BUYERS * SEEKS_EACH;
const TOLD_MAX = 50;
/** Pairs after which the first service is gone: its first run has ended, and the one that goes on has not. */
const PAIRS_BEFORE = 80;
/** By then what failed is tried again. */
const RETRIED_MS = 600_000;
const START_MS = Date.UTC(2026, 5, 15, 12);

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-resumed-'));
afterAll(async () => {
  await dropStore(data_dir);
  rmSync(data_dir, { recursive: true, force: true });
});

/** A store whose process dies with the turn that would bring it beyond so many pairs: none is written from then on. */
function mortal(store: Store): Store {
  let pairs = 0;
  const own: Pick<Store, 'turn'> = {
    turn: (turn) =>
      store.turn({
        ...turn,
        attempt: async (read) => {
          const decided = await turn.attempt(read);
          const made = decided.effects?.filter((effect) => effect.do === 'insert' && effect.table === 'matches') ?? [];
          if (made.length > 0 && pairs + made.length > PAIRS_BEFORE) throw new Error('the process is gone');
          pairs += made.length;
          return decided;
        },
      }),
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'turn') return own.turn;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' && name !== 'read' ? value.bind(target) : value;
    },
  });
}

const pairsOf = async (t: TestService, listing_id: string) =>
  t.service.world.store.read(pairsOfListing, { listing_id, limit: 500 });

test('an offer that 120 seeks want is matched with each of them once, though the service dies on the way', async () => {
  const clock = virtualClock(START_MS);
  const first = await openTestService({}, 'memory', { data_dir, clock, before_store: mortal });
  const seller = await newAgent(first, { handle: 'seller', verified: true, pro: true });
  const buyers: TestAgent[] = [];
  for (let n = 0; n < BUYERS; n += 1) {
    const buyer = await newAgent(first, { handle: `buyer_${n}`, verified: true, pro: true });
    buyers.push(buyer);
    const seeks = Array.from({ length: SEEKS_EACH }, (_, k) => ({ ...LOGO_SEEK, headline: `A logo for bakery ${k}` }));
    await Promise.all(seeks.map((seek) => publish(first, buyer, seek)));
  }
  const listing_id = await publish(first, seller, LOGO_OFFER);
  await first.rest();
  const before = (await pairsOf(first, listing_id)).length;
  expect(before).toBeGreaterThanOrEqual(TOLD_MAX);
  expect(before).toBeLessThanOrEqual(PAIRS_BEFORE);
  await first.close();

  clock.moveTo(clock.now() + RETRIED_MS);
  const t = await openTestService({}, 'memory', { data_dir, clock });
  await t.rest();
  const pairs = await pairsOf(t, listing_id);
  expect(pairs.filter(({ status }) => status === 'pending')).toHaveLength(SEEKS);
  const told = await eventsOf(t, seller, 'match.created');
  const ids = told.map(({ data }) => data.match_id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(TOLD_MAX);
  for (const buyer of buyers) {
    const theirs = (await eventsOf(t, buyer, 'match.created')).map(({ data }) => data.match_id);
    expect(theirs).toHaveLength(SEEKS_EACH);
    expect(new Set(theirs).size).toBe(SEEKS_EACH);
  }
  await t.close();
});
