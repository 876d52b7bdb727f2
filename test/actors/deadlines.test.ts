// Deadlines: each thing ends once, at its instant, in order, whether time passes or is moved.

import { expect, test } from 'bun:test';
import { wallClock } from '../../actors/clock.ts';
import { Deadlines } from '../../actors/deadlines.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { virtualClock } from '../support/virtual-clock.ts';

test('what is due ends in order and once, at the instant and not before', () => {
  const clock = virtualClock(0);
  const ended: string[] = [];
  const deadlines = new Deadlines<string>(clock, (item) => ended.push(item));
  const set = (...items: [string, number][]): void => {
    for (const [item, at] of items) deadlines.set(item, at);
  };
  set(['c', 300], ['a', 100], ['b', 200], ['twin of b', 200], ['never', Number.POSITIVE_INFINITY], ['gone', 150]);
  set(['b', 250], ['c', 120]);
  deadlines.delete('gone');
  deadlines.delete('never');
  expect(deadlines.size).toBe(4);
  clock.moveTo(99);
  expect(ended).toEqual([]);
  clock.moveTo(100);
  expect(ended).toEqual(['a']);
  clock.moveTo(249);
  expect(ended).toEqual(['a', 'c', 'twin of b']);
  clock.moveTo(1_000);
  clock.moveTo(2_000);
  expect(ended).toEqual(['a', 'c', 'twin of b', 'b']);
  expect(deadlines.size).toBe(0);
});

test('one whose end breaks off keeps no other from its own', async () => {
  const clock = virtualClock(0);
  const { promise, resolve } = Promise.withResolvers<string>();
  const deadlines = new Deadlines<string>(clock, (item) => {
    if (item === 'broken') throw new Error('no');
    resolve(item);
  });
  deadlines.set('broken', 1);
  deadlines.set('whole', 2);
  expect(() => clock.moveTo(5)).toThrow('no');
  const awake = setInterval(() => {}, 1_000);
  expect(await promise).toBe('whole');
  clearInterval(awake);
});

test('thousands in any order end as they are due', () => {
  const clock = virtualClock(0);
  const ended: number[] = [];
  const deadlines = new Deadlines<number>(clock, (item) => ended.push(item));
  const all = Array.from({ length: 5_000 }, (_, n) => (n * 7_919) % 5_000);
  for (const at of all) deadlines.set(at, at);
  for (const at of all) if (at % 3 === 0) deadlines.delete(at);
  clock.moveTo(5_000);
  expect(ended).toEqual(all.filter((at) => at % 3 !== 0).sort((a, b) => a - b));
});

test('time that passes by itself ends things too', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const clock = wallClock();
  const deadlines = new Deadlines<string>(clock, resolve);
  deadlines.set('later', clock.now() + HOUR_MS);
  deadlines.set('soon', clock.now() + 5);
  // The timer itself keeps no process alive.
  const awake = setInterval(() => {}, 1_000);
  expect(await promise).toBe('soon');
  clearInterval(awake);
  deadlines.delete('later');
});
