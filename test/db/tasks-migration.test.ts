// A database of a version that knew no tasks: its conversations stand as they were and count none, so that a message in one
// looks for none.
import { expect } from 'bun:test';
import { type Rows, type Run, testMigration } from '../support/migrated.ts';

async function conversations(run: Run): Promise<void> {
  await run(
    `INSERT INTO conversations (id, opener_id, other_id, phase, status, subject, last_n, opener_sent, created_at, updated_at)
     VALUES ('c', 'a', 'b', 'qualification', 'open', 'A rope', 3, 2, 5, 6)`,
  );
}

async function check(rows: Rows): Promise<void> {
  const [stood] = await rows('SELECT * FROM conversations');
  expect(stood).toMatchObject({ id: 'c', opener_id: 'a', other_id: 'b', status: 'open', subject: 'A rope' });
  const figures = ['last_n', 'opener_sent', 'other_sent', 'opener_tasks', 'other_tasks', 'version'];
  expect(figures.map((name) => Number(stood?.[name]))).toEqual([3, 2, 0, 0, 0, 1]);
  for (const table of ['tasks', 'task_updates']) expect(await rows(`SELECT id FROM ${table}`)).toEqual([]);
}

testMigration('0011_tasks', conversations, check);
