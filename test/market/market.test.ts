// A sample of what ./scripts/market plays: deals within all limits and none too many, nobody who could agree left without, no limit told;
// competition helps the buyer in whatever order sellers were asked; strategies of others get no more out of us than out of their own kind.
import { describe, expect, test } from 'bun:test';
import { seeded } from '../support/dice.ts';
import { bestPairs } from './assignment.ts';
import { contactRounds } from './contact.ts';
import { figuresOf } from './figures.ts';
import { againstOthers } from './others.ts';
import { type Played, playServed } from './served.ts';
import { type Task, tasksOf } from './tasks.ts';

const SEED = 11;
/** Of each kind of task. */
const SAMPLE = { '1:1': 4, '1:n': 2, 'n:1': 2, 'n:m': 2, '20:20': 0 } as const;

test('markets in the service come to the deals that they can, within all limits', async () => {
  const by_kind = Map.groupBy(tasksOf(SEED), ({ kind }) => kind);
  const tasks = [...by_kind].flatMap(([kind, of]) => of.slice(0, SAMPLE[kind]));
  const played: [Task, Played][] = [];
  for (const task of tasks) played.push([task, await playServed(task)]);
  for (const got of figuresOf(played)) {
    expect(got).toMatchObject({ beyond: 0, twice: 0, told: 0, did: got.could });
    expect(got.messages).toBeLessThanOrEqual(12);
    expect(got.gained / got.best).toBeGreaterThanOrEqual(0.8);
  }
}, 120_000);

test('the buyer of three sellers pays less than the second of them would take, in every order', async () => {
  const got = await contactRounds(6, [20_000, 28_000, 36_000], SEED);
  expect(got).toMatchObject({ none: 0, told: 0 });
  expect(got.mean_cents).toBeLessThanOrEqual(30_000);
}, 60_000);

test('against strategies that are not its own it never passes its limit, and does better than MiCRO and Boulware would', () => {
  const rows = againstOthers(200, SEED);
  const mean = (place: string): number =>
    rows.reduce((sum, { utility }) => sum + (utility[place] ?? 0), 0) / rows.length;
  expect(rows.map(({ beyond }) => beyond)).toEqual(rows.map(() => 0));
  expect(mean('ours')).toBeGreaterThanOrEqual(mean('MiCRO'));
  expect(mean('ours')).toBeGreaterThanOrEqual(mean('Boulware'));
});

/** The greatest sum of gains, by trying everything. */
function greatest(gains: readonly (readonly number[])[], row = 0, taken: ReadonlySet<number> = new Set()): number {
  const own = gains[row];
  if (!own) return 0;
  const without = greatest(gains, row + 1, taken);
  return own.reduce((most, gain, column) => {
    if (taken.has(column) || gain <= 0) return most;
    return Math.max(most, gain + greatest(gains, row + 1, new Set([...taken, column])));
  }, without);
}

describe('the best of a market', () => {
  test('is what trying everything finds', () => {
    const random = seeded(SEED);
    for (let n = 0; n < 60; n += 1) {
      const [rows, columns] = [1 + Math.floor(random() * 5), 1 + Math.floor(random() * 5)];
      const gains = Array.from({ length: rows }, () =>
        Array.from({ length: columns }, () => Math.floor(random() * 100) - 30),
      );
      const { pairs, sum } = bestPairs(gains);
      expect(sum).toBe(greatest(gains));
      expect(new Set(pairs.map(([, column]) => column)).size).toBe(pairs.length);
    }
  });
});
