// Reads of guarded counters. Only a count effect changes one; a figure read here may be old by the time of the commit.
import { eq } from 'drizzle-orm';
import { arg, one } from '../query.ts';

export const counterById = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.counters)
    .where(eq(t.counters.id, arg('id')))
    .limit(1),
);
