// Guarantees of request rates: the published number and no more in any minute, and a Retry-After that is true.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FRESH_RATE, isIdle, type RateState, takeRequest } from '../../../src/domain/identity/rate.ts';

const START = Date.UTC(2026, 0, 1);

/** Asks at each time in turn; gives what was let through and the last state. */
function run(times_ms: readonly number[], limit: number): { passed: number[]; state: RateState } {
  let state = FRESH_RATE;
  const passed: number[] = [];
  for (const now_ms of times_ms) {
    const taken = takeRequest(state, now_ms, limit);
    if (taken.ok) passed.push(now_ms);
    state = taken.state;
  }
  return { passed, state };
}

describe('a burst', () => {
  const { passed, state } = run(new Array<number>(61).fill(START + 250), 60);

  test('gets 60 of 61 requests through', () => expect(passed.length).toBe(60));

  test('is told to come back when its minute is over', () => {
    expect(takeRequest(state, START + 250, 60)).toMatchObject({ ok: false, retry_after_seconds: 60 });
    expect(takeRequest(state, START + 59_999, 60)).toMatchObject({ ok: false, retry_after_seconds: 1 });
  });

  test('gets 60 more after it', () => {
    const again = run(new Array<number>(61).fill(START + 60_000), 60);
    expect(takeRequest(state, START + 60_000, 60).ok).toBe(true);
    expect(again.passed.length).toBe(60);
  });

  test('takes one slot of memory', () => expect(state.length).toBe(1));
});

test('a caller at an even pace of the limit is never refused', () => {
  const times = Array.from({ length: 600 }, (_, i) => START + i * 1_000 + (i % 7) * 100);
  expect(run(times, 60).passed.length).toBe(600);
});

test('a refused request costs nothing', () => {
  const { state } = run(new Array<number>(60).fill(START), 60);
  expect(takeRequest(state, START + 30_000, 60).state).toEqual(state);
});

test('in any minute no more than the limit passes, and who waits as told is let through', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 300 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 20 }), (waits, limit) => {
      let now_ms = START;
      const times = waits.map((wait) => (now_ms += wait));
      const { passed, state } = run(times, limit);
      for (const [i, at] of passed.entries()) {
        const early = passed[i - limit];
        // Slots are whole seconds, so a window may be up to one second short of 60.
        if (early !== undefined) expect(at - early).toBeGreaterThan(59_000);
      }
      expect(state.length).toBeLessThanOrEqual(60);
      const taken = takeRequest(state, now_ms, limit);
      if (!taken.ok) expect(takeRequest(state, now_ms + taken.retry_after_seconds * 1_000, limit).ok).toBe(true);
    }),
  );
});

test('a clock that steps back neither frees nor loses anything', () => {
  const { state } = run(new Array<number>(60).fill(START), 60);
  expect(takeRequest(state, START - 120_000, 60).ok).toBe(false);
});

test('a state is idle once nothing in it counts', () => {
  const { state } = run([START], 60);
  expect([isIdle(FRESH_RATE, START), isIdle(state, START + 59_999), isIdle(state, START + 60_000)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('what was let through elsewhere counts, and who waits as told is let through even where that was too much', () => {
  const second = Math.floor(START / 1000);
  const elsewhere = [
    { second: second - 30, count: 5 },
    { second: second + 9, count: 12 },
  ];
  const { passed } = run(new Array<number>(3).fill(START), 20);
  expect(passed.length).toBe(3);
  const full = takeRequest([{ second, count: 3 }], START, 18, elsewhere);
  // 3 + 5 + 12 are two too many, and one must be free: the five that end first are enough.
  expect(full).toMatchObject({ ok: false, retry_after_seconds: 30 });
  expect(takeRequest(full.state, START + 30_000, 18, elsewhere).ok).toBe(true);
  const fuller = takeRequest([{ second, count: 3 }], START, 10, elsewhere);
  expect(fuller).toMatchObject({ ok: false, retry_after_seconds: 69 });
  expect(takeRequest(fuller.state, START + 68_999, 10, elsewhere).ok).toBe(false);
  expect(takeRequest(fuller.state, START + 69_000, 10, elsewhere).ok).toBe(true);
});
