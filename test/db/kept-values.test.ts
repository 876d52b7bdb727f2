// What a database of an older version kept for repeated Idempotency-Keys goes on being replayed: the bodies that it kept are
// the values that are kept now, and their statuses become how each call ended.
import { expect } from 'bun:test';
import { type Rows, type Run, testMigration } from '../support/migrated.ts';

const REFUSAL = '{"error":"handle_taken","message":"m","request_id":"r"}';
const RECEIPT = '{"receipt":true,"status":201,"message":"m"}';

/** Answers as the older version kept them. A refusal above 64 KiB was kept as a receipt, which says nothing of why. */
async function answers(run: Run): Promise<void> {
  for (const [id, status, body, sealed] of [
    ['a', 200, '{"ok":1}', 0],
    ['b', 201, 'g1.sealed', 1],
    ['c', 202, RECEIPT, 0],
    ['d', 409, REFUSAL, 0],
    ['e', 400, RECEIPT, 0],
  ]) {
    await run(
      `INSERT INTO idempotency (id, request_hash, status, headers, body, sealed, expires_at)
       VALUES ('${id}', 'h', ${status}, '{"X-Old":"1"}', '${body}', ${sealed}, 9)`,
    );
  }
}

async function check(rows: Rows): Promise<void> {
  const kept = await rows('SELECT * FROM idempotency ORDER BY id');
  const common = { request_hash: 'h', notes: '{}' };
  const plain = kept.map(({ sealed, expires_at, ...row }): Record<string, unknown> => {
    return { ...row, sealed: Number(sealed), expires_at: Number(expires_at) };
  });
  expect(plain).toEqual([
    { ...common, id: 'a', status: 'ok', value: '{"ok":1}', sealed: 0, expires_at: 9 },
    { ...common, id: 'b', status: 'created', value: 'g1.sealed', sealed: 1, expires_at: 9 },
    { ...common, id: 'c', status: 'accepted', value: RECEIPT, sealed: 0, expires_at: 9 },
    { ...common, id: 'd', status: 'refused', value: REFUSAL, sealed: 0, expires_at: 9 },
  ]);
}

testMigration('0010_kept_values', answers, check);
