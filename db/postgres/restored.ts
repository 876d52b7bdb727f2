// An operator's calls around backups of PostgreSQL, which are made and restored by its own tools: checking the database, and marking it as
// restored.
import { SQL } from 'bun';
import { checkLedger } from '../ledger-check/check.ts';
import type { Problem } from '../ledger-check/problems.ts';
import { checkRows } from '../row-check/check.ts';
import { DB_NOW_MS } from './connection.ts';
import { snapshotOf } from './snapshot.ts';

const MARK = `
  INSERT INTO service_notes (id, value, version)
  SELECT 'restored', json_build_object('epoch', greatest(2, $1::bigint / 1000), 'restored_at', $1::bigint, 'held', true,
    'backup_at', (SELECT (value::json->>'newest_ms')::bigint FROM service_notes WHERE id = 'clock'))::text, 1
  ON CONFLICT (id) DO UPDATE SET version = service_notes.version + 1,
    value = (excluded.value::jsonb || jsonb_build_object('epoch',
      greatest(coalesce((service_notes.value::jsonb->>'epoch')::bigint, 1) + 1, $1::bigint / 1000)))::text
  RETURNING (value::json->>'epoch')::bigint AS epoch`;
/** A pooler keeps the connections of nodes that have stopped, and a backup the rows of nodes that ran: only both together tell. */
const RUNNING = `SELECT EXISTS (SELECT 1 FROM nodes WHERE expires_at > ${DB_NOW_MS}) AND EXISTS (SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'meshwork%') AS found`;

async function connected<T>(url: string, work: (sql: SQL) => Promise<T>): Promise<T> {
  const sql = new SQL({ url, max: 1, connectionTimeout: 10, connection: { application_name: 'meshwork-check' } });
  try {
    return await work(sql);
  } finally {
    await sql.close({ timeout: 1 });
  }
}

/** Checks the database on one snapshot, while its nodes run. */
export function proveLive(url: string, now_ms: number): Promise<Problem[]> {
  return connected(url, (sql) =>
    sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (connection) => {
      const snapshot = snapshotOf(connection);
      return [...(await checkRows(snapshot, now_ms)).problems, ...(await checkLedger(snapshot, now_ms)).problems];
    }),
  );
}

/** Marks that the database was restored and answers the epoch that begins; null where nodes are connected to it. */
export function markRestored(url: string, now_ms: number): Promise<number | null> {
  return connected(url, async (sql) => {
    const [running] = await sql.unsafe(RUNNING);
    if (running?.found === true) return null;
    const [marked] = await sql.unsafe(MARK, [now_ms]);
    return Number(marked?.epoch);
  });
}

/** The version of the server, as `15.6`. */
export function serverVersion(url: string): Promise<string> {
  return connected(url, async (sql) => {
    const [row] = await sql.unsafe('SHOW server_version');
    return String(row?.server_version);
  });
}
