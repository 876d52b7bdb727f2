// Both adapters' rows answer alike: what the one interpreter of effects stands on, without a store's transaction around it.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count } from '../../db/effects.ts';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { LockedRows } from '../../db/postgres/locked-rows.ts';
import { Workspace } from '../../db/postgres/workspace.ts';
import type { Head, Rows, Upsert } from '../../db/rows.ts';
import { connect } from '../../db/sqlite/connection.ts';
import { Heads } from '../../db/sqlite/heads.ts';
import { SqliteRows } from '../../db/sqlite/rows.ts';
import { createVectorIndex, VectorRows } from '../../db/sqlite/vector-rows.ts';
import { fault } from '../../src/domain/fault.ts';

const INBOX: Head = { table: 'inboxes', column: 'last_seq', raises: 'behind' };
/** A head on a row that holds more than its number. */
const SENT: Head = { table: 'conversations', column: 'opener_sent' };
const MARK: Upsert = { table: 'mail_marks', moves: ['seen'] };
const CODE = { id: 'c', hash: 'h', data: { a: '1' }, sent_at: 1, expires_at: 2 };
const THREAD = {
  ...{ id: 't', opener_id: 'a', other_id: 'b', phase: 'inquiry', status: 'active', subject: 's' },
  ...{ opener_sent: 4, created_at: 1, updated_at: 1 },
};

interface Made {
  readonly rows: Rows;
  /** What the database holds of a head once the commit is through. */
  readonly head: (head: Head, id: string) => unknown;
}

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-rows-'));
const { writer, unlock } = connect(data_dir);
migrateSqlite(writer, 0);
createVectorIndex(writer, 8);
afterAll(() => {
  writer.close();
  unlock();
  rmSync(data_dir, { recursive: true, force: true });
});

function sqlite(): Made {
  for (const table of ['inboxes', 'conversations', 'mail_marks', 'codes', 'counters', 'events']) {
    writer.run(`DELETE FROM ${table}`);
  }
  const heads = new Heads(writer);
  const rows = new SqliteRows(writer, heads, new VectorRows(writer));
  const head: Made['head'] = ({ table, column }, id) => {
    heads.flush();
    return rows.row(table, id)?.[column];
  };
  return { rows, head };
}

function postgres(): Made {
  const rows = new LockedRows(new Workspace(), new Set(), true);
  return { rows, head: ({ table, column }, id) => rows.row(table, id)?.[column] };
}

describe.each([
  ['sqlite', sqlite],
  ['postgres', postgres],
] as const)('%s: rows', (_name, make) => {
  test('are put in once, with what the columns fall back to', () => {
    const { rows } = make();
    expect([rows.insert('codes', CODE, null), rows.insert('codes', CODE, null)]).toEqual([true, false]);
    expect(rows.row('codes', 'c')).toEqual({ ...CODE, tries: 0, version: 1 });
    expect([rows.row('codes', 'none'), rows.version('codes', 'none'), rows.version('codes', 'c')]).toEqual([
      null,
      null,
      1,
    ]);
  });

  test('change and go at their version, or at any where none is given', () => {
    const { rows } = make();
    rows.insert('codes', CODE, null);
    expect([rows.update('codes', 'c', { tries: 1 }, 2), rows.update('codes', 'c', { tries: 1 }, 1)]).toEqual([
      false,
      true,
    ]);
    expect([rows.update('codes', 'c', { tries: 5 }, null), rows.version('codes', 'c')]).toEqual([true, 3]);
    expect([rows.remove('codes', 'c', 1), rows.row('codes', 'c')?.tries]).toEqual([false, 5]);
    expect([rows.remove('codes', 'c', 3), rows.remove('codes', 'c', null), rows.row('codes', 'c')]).toEqual([
      true,
      false,
      null,
    ]);
    expect(rows.update('codes', 'c', { tries: 1 }, null)).toBe(false);
  });

  test('are put in or moved: only the columns that move, and the version', () => {
    const { rows } = make();
    rows.put(MARK, { id: 'a', seen: 1, at: 7 });
    rows.put(MARK, { id: 'a', seen: 2, at: 9 });
    expect(rows.row('mail_marks', 'a')).toMatchObject({ seen: 2, at: 7, version: 2 });
  });

  test('number from 1 where there is no row yet, and on from it where there is one, each column for itself', () => {
    const { rows, head } = make();
    rows.insert('conversations', THREAD, null);
    expect([rows.next(INBOX, 'a'), rows.next(INBOX, 'a'), rows.next(INBOX, 't')]).toEqual([1, 2, 1]);
    expect([rows.next(SENT, 't'), rows.next(SENT, 't')]).toEqual([5, 6]);
    expect([head(INBOX, 'a'), head(INBOX, 't'), head(SENT, 't')]).toEqual([2, 1, 6]);
    expect(rows.row('conversations', 't')).toMatchObject({ subject: 's', other_sent: 0 });
  });

  test('raise a flag with each number, also one that was set back', () => {
    const { rows, head } = make();
    const flag: Head = { ...INBOX, column: 'behind' };
    rows.next(INBOX, 'a');
    expect([head(INBOX, 'a'), head(flag, 'a')]).toEqual([1, 1]);
    rows.update('inboxes', 'a', { delivered_seq: 1, behind: 0 }, null);
    expect(head(flag, 'a')).toBe(0);
    rows.next(INBOX, 'a');
    rows.update('inboxes', 'a', { delivered_seq: 1 }, null);
    rows.next(INBOX, 'a');
    expect([head(INBOX, 'a'), head(flag, 'a')]).toEqual([3, 1]);
  });

  test('count up to a limit and not beyond', () => {
    const { rows } = make();
    const add = (by: number): number | null => rows.add(count('k', 5, fault('plan_limit'), null, by));
    expect([add(6), add(3), add(3), add(2), add(-1)]).toEqual([null, 3, null, 5, 4]);
  });
});
