// The last requests of keys: as many as are told of each, and never more in all than memory is meant for.
import { expect, test } from 'bun:test';
import { RequestLog } from '../../actors/request-log.ts';

const asked = (n: number, path = '/api/inbox') => ({
  ...{ request_id: String(n), at_ms: n, method: 'GET', path, operation: 'inbox.pull', status: 200, duration_ms: 1 },
});

test('a key has its last 200, newest first', () => {
  const log = new RequestLog();
  for (let n = 0; n < 1_000; n += 1) log.note('a', asked(n));
  const told = log.of('a', 1_000);
  expect([told.length, told[0]?.at_ms, told.at(-1)?.at_ms]).toEqual([200, 999, 800]);
  expect(log.of('b', 1_000)).toEqual([]);
});

test('of many keys the ones that were used longest ago are forgotten', () => {
  const log = new RequestLog();
  for (let n = 0; n < 50_000; n += 1) log.note(`key_${n}`, asked(n));
  log.note('key_0', asked(50_000));
  expect([log.of('key_0', 1).length, log.of('key_1', 1).length, log.of('key_49999', 1).length]).toEqual([2, 0, 1]);
});

test('a long path is cut', () => {
  const log = new RequestLog();
  log.note('a', asked(1, `/${'x'.repeat(5_000)}`));
  expect(log.of('a', 1)[0]?.path).toHaveLength(200);
});
