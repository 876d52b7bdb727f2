// First contacts: how many a day, and which day it is.

import { expect, test } from 'bun:test';
import {
  firstContactFault,
  firstContactKey,
  firstContactLimit,
  firstContactReset,
} from '../../../src/domain/conversation/conversation.ts';
import { DAY_MS } from '../../../src/domain/time.ts';

const MIDNIGHT = Date.UTC(2026, 10, 22);

test('strangers may be written to 20 times a UTC day, by a provisional account 5 times', () => {
  expect([firstContactLimit(false), firstContactLimit(true)]).toEqual([20, 5]);
  expect(firstContactKey('a', MIDNIGHT - 1)).toBe('first_contact:a:2026-11-21');
  expect(firstContactKey('a', MIDNIGHT)).toBe('first_contact:a:2026-11-22');
});

test('the day is over at the midnight after it', () => {
  expect([firstContactReset(MIDNIGHT - 1), firstContactReset(MIDNIGHT)]).toEqual([MIDNIGHT, MIDNIGHT + DAY_MS]);
  expect(firstContactFault(5, MIDNIGHT - 1).data).toEqual({ limit: 5, resets_at: '2026-11-22T00:00:00.000Z' });
});
