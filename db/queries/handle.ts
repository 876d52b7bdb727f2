// Counts of handles.
import { and, count, gt, gte, inArray, like, lt, or } from 'drizzle-orm';
import { arg, one } from '../query.ts';

/** The number of taken handles of three characters between two texts: of agents, deleted ones included, of redirecting aliases and of valid
 * reservations. Only that range of the key's index is read. */
export const shortHandlesHeld = one<{ from: string; to: string; now_ms: number }>()(null, (db, t) =>
  db
    .select({ n: count() })
    .from(t.handles)
    .where(
      and(
        gte(t.handles.id, arg('from')),
        lt(t.handles.id, arg('to')),
        like(t.handles.id, '___'),
        or(inArray(t.handles.kind, ['current', 'gone']), gt(t.handles.expires_at, arg('now_ms'))),
      ),
    ),
);
