// What a database of an older version calls by other words goes on: how far each inbox was delivered, and the daily look at a
// proven domain, which its reminder names.
import { expect } from 'bun:test';
import { type Rows, type Run, testMigration } from '../support/migrated.ts';

const REMINDERS = [
  ['domain.recheck:c1', 'domain.recheck', '{"claim_id":"c1"}'],
  ['listing.measure:domain.recheck', 'listing.measure', '{}'],
];

async function fill(run: Run): Promise<void> {
  await run("INSERT INTO couriers (id, seq, lease_until, version) VALUES ('a', 41, 0, 1), ('b', 2, 0, 1)");
  await run("INSERT INTO inboxes (id, last_seq) VALUES ('a', 43), ('b', 2), ('c', 1)");
  for (const [id, operation, input] of REMINDERS) {
    await run(
      `INSERT INTO reminders (id, at, operation, input, attempts, created_at, version)
       VALUES ('${id}', 7, '${operation}', '${input}', 0, 1, 3)`,
    );
  }
}

async function check(rows: Rows): Promise<void> {
  const inboxes = await rows('SELECT id, last_seq, delivered_seq, behind FROM inboxes ORDER BY id');
  expect(inboxes.map(({ id, ...numbers }) => [id, ...Object.values(numbers).map(Number)])).toEqual([
    ['a', 43, 41, 1],
    ['b', 2, 2, 0],
    ['c', 1, 0, 1],
  ]);
  const reminders = await rows('SELECT id, operation, at, version FROM reminders ORDER BY operation');
  expect(reminders.map(({ id, operation, at, version }) => [id, operation, Number(at), Number(version)])).toEqual([
    ['listing.measure:domain.recheck', 'listing.measure', 7, 3],
    ['site.recheck:c1', 'site.recheck', 7, 3],
  ]);
}

testMigration('0009_delivery_cursors', fill, check);
