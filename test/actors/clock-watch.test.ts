// A node beside the database's clock: it goes by that clock, and says when its machine's differs by more than a second.
import { expect, test } from 'bun:test';
import { ClockWatch } from '../../actors/clock-watch.ts';
import type { Store } from '../../db/store.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const START_MS = 1_700_000_000_000;

/** A watch on a machine whose clock can be set wrong; `slow` makes the database's answer take so long. */
async function watched(wrong_ms = 0) {
  const clock = virtualClock(START_MS);
  const database_ms = (): number => START_MS + clock.running_ms();
  clock.jump(wrong_ms);
  const told: (number | null)[] = [];
  let slow_ms = 0;
  const asked = async (): Promise<number> => {
    const now_ms = database_ms();
    if (slow_ms > 0) clock.moveTo(clock.now() + slow_ms);
    return now_ms;
  };
  const store = { read: Object.assign(async () => null, { peek: async () => null }), onCommit: () => {} };
  const hooks = { doubted: () => {}, believed: () => {}, apart: (by_ms: number | null) => told.push(by_ms) };
  const watch = new ClockWatch(store as unknown as Store, clock, asked, hooks);
  await watch.open();
  return {
    ...{ clock, watch, told },
    ahead_ms: () => clock.now() - database_ms(),
    slow: (ms: number) => {
      slow_ms = ms;
    },
  };
}

test.each([400, -700, 3_000, -90_000])('a clock that is %d ms wrong goes by that of the database', async (wrong_ms) => {
  const { ahead_ms, watch } = await watched(wrong_ms);
  expect(ahead_ms()).toBe(0);
  expect((await watch.look()).apart_ms).toBe(Math.abs(wrong_ms) > 1_000 ? wrong_ms : null);
});

test('a node says when its clock is more than a second wrong, and when it no longer is', async () => {
  const { clock, watch, told } = await watched();
  clock.jump(-1_500);
  await watch.look();
  expect([watch.apart_ms, told]).toEqual([-1_500, [-1_500]]);
  await watch.look();
  expect(told).toHaveLength(1);
  clock.jump(1_400);
  await watch.look();
  expect([watch.apart_ms, told]).toEqual([null, [-1_500, null]]);
});

test('an answer that took long proves nothing about the clock', async () => {
  const { watch, told, slow, ahead_ms } = await watched();
  slow(8_000);
  await watch.look();
  expect([watch.apart_ms, told, ahead_ms()]).toEqual([null, [], 0]);
});
