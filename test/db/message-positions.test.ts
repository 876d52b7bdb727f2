// A database from before messages had places in their threads gets them by its migration, in the order in which its pages
// have been read: so every cursor that a client still holds stays where it was.
import { expect } from 'bun:test';
import { type Rows, type Run, testMigration } from '../support/migrated.ts';

/** Two threads with messages that were stored in another order than their ids have, and an empty one. */
async function threads(run: Run): Promise<void> {
  for (const id of ['a', 'b', 'empty']) {
    await run(
      `INSERT INTO conversations (id, opener_id, other_id, phase, status, subject, created_at, updated_at, version)
       VALUES ('${id}', 'x', 'y', 'qualification', 'open', '', 1, 1, 1)`,
    );
  }
  for (const [id, thread] of [
    ['m3', 'a'],
    ['m1', 'b'],
    ['m2', 'a'],
    ['m5', 'b'],
    ['m4', 'a'],
  ]) {
    await run(
      `INSERT INTO messages (id, conversation_id, sender_id, sender_handle, kind, content, created_at)
       VALUES ('${id}', '${thread}', 'x', 'x', 'text', '', 1)`,
    );
  }
}

async function check(rows: Rows): Promise<void> {
  const messages = await rows('SELECT id, conversation_id, n FROM messages ORDER BY id');
  expect(messages.map(({ id, conversation_id, n }) => [id, conversation_id, Number(n)])).toEqual([
    ['m1', 'b', 1],
    ['m2', 'a', 1],
    ['m3', 'a', 2],
    ['m4', 'a', 3],
    ['m5', 'b', 2],
  ]);
  const heads = await rows('SELECT id, last_n FROM conversations ORDER BY id');
  expect(heads.map(({ id, last_n }) => [id, Number(last_n)])).toEqual([
    ['a', 3],
    ['b', 2],
    ['empty', 0],
  ]);
}

testMigration('0006_message_places', threads, check);
