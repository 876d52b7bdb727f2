// The rules of webhooks: what a subscription names, what ends one, and when a failed delivery is tried again.

import { expect, test } from 'bun:test';
import { isFault } from '../../../src/domain/fault.ts';
import { type Attempted, afterAttempt, readEvents, retryPause, subscribes } from '../../../src/domain/inbox/webhook.ts';
import { DAY_MS } from '../../../src/domain/time.ts';

const FAILED: Attempted = { accepted: false, http_status: 500, retry: false };
const NEW = { active: true, failure_count: 0 };

test('ten failures in a row deactivate, and one success forgets them', () => {
  const nine = Array<Attempted>(9).fill(FAILED).reduce(afterAttempt, NEW);
  expect(nine).toEqual({ active: true, failure_count: 9 });
  expect(afterAttempt(nine, FAILED)).toEqual({ active: false, failure_count: 10 });
  expect(afterAttempt(nine, { accepted: true, http_status: 204, retry: false })).toEqual(NEW);
});

test('a 2xx whose body did not come counts as a failure', () => {
  expect(afterAttempt(NEW, { accepted: false, http_status: 200, retry: false }).failure_count).toBe(1);
});

test('410 ends a webhook that asked for retries, and is a failure like any other to one that did not', () => {
  const gone = { ...FAILED, http_status: 410 };
  expect(afterAttempt(NEW, { ...gone, retry: true }).active).toBe(false);
  expect(afterAttempt(NEW, gone).active).toBe(true);
});

test('a retry waits its pause and up to a tenth more, or what the receiver asks for, within a day', () => {
  const bare = [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => retryPause(attempts, 0, undefined));
  expect(bare).toEqual([5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, DAY_MS, null]);
  expect(retryPause(1, 1, undefined)).toBe(5_500);
  expect(retryPause(1, 0, '60')).toBe(60_000);
  expect(retryPause(1, 0, '999999999')).toBe(DAY_MS);
  for (const odd of ['soon', '-1', '1e9', '']) expect(retryPause(1, 0, odd)).toBe(5_000);
});

test('a subscription keeps each name once, * alone, and names what is no event', () => {
  expect(readEvents(['test.ping', 'test.ping'])).toEqual(['test.ping']);
  expect(readEvents(['test.ping', '*'])).toEqual(['*']);
  expect(isFault(readEvents(['test.pong']))).toBe(true);
  expect(subscribes('developer', ['test.ping'], 'match.created')).toBe(false);
  expect(subscribes('agent', ['test.ping'], 'match.created')).toBe(true);
});
