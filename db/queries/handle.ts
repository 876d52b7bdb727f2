// Counts of handles.
import { and, count, gt, gte, inArray, like, lt, or } from 'drizzle-orm';
import { arg, one } from '../query.ts';

/** How many handles of three characters are held between two texts: by an agent or one that is gone, an alias that still leads somewhere or a
 * reservation that still stands. Only that part of the key's index is read. */
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
