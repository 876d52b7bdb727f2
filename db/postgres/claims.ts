// Divides due rows among the nodes: SKIP LOCKED gives each node different ones, and a claimed row is due again only after a
// lease, so that other nodes take over the claims of a dead one. A lease that expires early costs a second attempt, never
// a second effect: the row is deleted in the commit of its work.
import type { Row } from '../schema/tables.ts';
import { IS_MATCHING } from '../schema/turn.ts';
import type { Claimed, Role } from '../store.ts';
import type { Connection } from './connection.ts';
import { literal, rowOf, shapeOf } from './shapes.ts';

const LEASE_MS = 60_000;
/** A dead node's reminders must not wait as long as its letters. */
const REMINDER_LEASE_MS = 20_000;
/** The committing node sends new rows itself; the others leave them alone for this time. */
const OWN_MS = 30_000;

/** The reminders of a role, by their operation: those that need the index of matching, or all others. */
function ofRole(role: Role): string {
  if (role === 'all') return '';
  return role === 'web' ? `AND NOT (${IS_MATCHING})` : `AND ${IS_MATCHING}`;
}

/** Claims due reminders of a role, the longest due first, without those that this node runs already. */
export async function claimReminders(
  connection: Connection,
  now_ms: number,
  limit: number,
  running: ReadonlySet<string>,
  from_ms: number,
  role: Role,
): Promise<Row<'reminders'>[]> {
  const rows = await connection.unsafe(
    `WITH due AS
       (SELECT id, at FROM reminders WHERE at <= $1::bigint AND at >= $4::bigint AND id <> ALL($3::text[]) ${ofRole(role)}
        ORDER BY at LIMIT $2::bigint FOR UPDATE SKIP LOCKED)
     UPDATE reminders AS r SET at = $1::bigint + ${REMINDER_LEASE_MS} FROM due WHERE r.id = due.id
     RETURNING r.*, due.at AS due_at`,
    [now_ms, limit, literal([...running]), from_ms],
  );
  // Every column of the table is there, each in the form that reads give.
  rows.sort((a, b) => Number(a.due_at) - Number(b.due_at));
  return rows.map((raw) => rowOf(shapeOf('reminders'), raw) as Row<'reminders'>);
}

/** How far the clocks of two nodes may be apart. A claimed reminder is due later than that. */
const CLOCKS_APART_MS = 5_000;

/** Claims a reminder that another node has just set; false when it is claimed already, or gone. */
export async function claimReminder(connection: Connection, id: string, now_ms: number): Promise<boolean> {
  const rows = await connection.unsafe(
    'UPDATE reminders SET at = $2::bigint WHERE id = $1 AND at <= $3::bigint RETURNING id',
    [id, now_ms + REMINDER_LEASE_MS, now_ms + CLOCKS_APART_MS],
  );
  return rows.length > 0;
}

export async function claimSends(
  connection: Connection,
  now_ms: number,
  limit: number,
  from_ms: number,
): Promise<{ id: string; next_at: number }[]> {
  const rows = await connection.unsafe(
    `UPDATE outbound SET next_at = $1::bigint + ${LEASE_MS} WHERE id IN
       (SELECT id FROM outbound WHERE next_at <= $1::bigint AND next_at >= $4::bigint AND (attempts > 0 OR created_at <= $2::bigint)
        ORDER BY next_at LIMIT $3::bigint FOR UPDATE SKIP LOCKED) RETURNING id, next_at`,
    [now_ms, now_ms - OWN_MS, limit, from_ms],
  );
  return rows.map(({ id, next_at }) => ({ id: String(id), next_at: Number(next_at) }));
}

/** Claims the delivery of an agent's inbox: when it has no lease, or the caller's own. */
export async function claimDelivery(
  connection: Connection,
  now_ms: number,
  { id, lease_until }: { readonly id: string; readonly lease_until: number },
): Promise<Claimed | null> {
  const [row] = await connection.unsafe(
    `UPDATE inboxes SET lease_until = $2::bigint WHERE id = $1 AND (lease_until <= $3::bigint OR lease_until = $4::bigint)
     RETURNING delivered_seq AS seq, last_seq AS head`,
    [id, now_ms + LEASE_MS, now_ms, lease_until],
  );
  return row ? { seq: Number(row.seq), head: Number(row.head), lease_until: now_ms + LEASE_MS } : null;
}
