// Reads how far service time was moved on.
import { eq } from 'drizzle-orm';
import { arg, one } from '../query.ts';

export const movedTimeById = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.service_time)
    .where(eq(t.service_time.id, arg('id')))
    .limit(1),
);
