// Reads of presence.
import { eq } from 'drizzle-orm';
import { arg, one } from '../query.ts';

export const presenceOf = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.presence)
    .where(eq(t.presence.id, arg('id')))
    .limit(1),
);
