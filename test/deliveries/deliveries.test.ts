// A load of deliveries small enough for every run; scripts/deliveries has the whole of it.
import { expect, test } from 'bun:test';
import { problems } from './judge.ts';
import { deliver } from './load.ts';

/** Receivers that hang are given up after ten seconds: whoever waits for one of them is later than that. On a busy machine
 * no closer bound would hold. */
const HELD_MS = 10_000;

test('receivers in every kind of trouble drain, hold nobody up, and get the ids of the inbox', async () => {
  const outcome = await deliver({ well: 4, events: 20, troubled_events: 12, slow_events: 1, per_second: 50 });
  expect(problems(outcome, HELD_MS)).toEqual([]);
}, 600_000);
