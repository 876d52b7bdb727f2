// When backups are due, and which of them stay.
import { expect, test } from 'bun:test';
import { isBackupDue, surplusBackups } from '../../src/domain/backup.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';

const MIDNIGHT = 20_000 * DAY_MS;

test('one is due so long after the last, or once a day at its time, and at once where there was none', () => {
  const every = { every_ms: DAY_MS };
  expect(isBackupDue(every, null, MIDNIGHT)).toBe(true);
  expect(isBackupDue(every, MIDNIGHT, MIDNIGHT + DAY_MS - 1)).toBe(false);
  expect(isBackupDue(every, MIDNIGHT, MIDNIGHT + DAY_MS)).toBe(true);
  const at_three = { at_ms: 3 * HOUR_MS };
  expect(isBackupDue(at_three, MIDNIGHT, MIDNIGHT + 3 * HOUR_MS - 1)).toBe(false);
  expect(isBackupDue(at_three, MIDNIGHT, MIDNIGHT + 3 * HOUR_MS)).toBe(true);
  expect(isBackupDue(at_three, MIDNIGHT + 3 * HOUR_MS, MIDNIGHT + 26 * HOUR_MS)).toBe(false);
  // The clock was set back: what was made in its future counts for nothing.
  expect(isBackupDue(every, MIDNIGHT + 9 * DAY_MS, MIDNIGHT)).toBe(true);
});

test('backups beyond a number or an age go, and the newest never does', () => {
  const kept = [0, 1, 2, 3].map((days) => ({ made_at: MIDNIGHT - days * DAY_MS }));
  expect(surplusBackups(kept, { keep: 2, keep_days: undefined }, MIDNIGHT)).toEqual(kept.slice(2));
  expect(surplusBackups(kept, { keep: 9, keep_days: 1 }, MIDNIGHT)).toEqual(kept.slice(2));
  expect(surplusBackups(kept, { keep: 1, keep_days: 1 }, MIDNIGHT + 90 * DAY_MS)).toEqual(kept.slice(1));
});
