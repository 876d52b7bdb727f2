// Reads of administrators and of what they did. Ids are UUIDs of version 7, so they sort by age.
import { desc, eq, isNotNull, lt } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

/** Some stored administrator; null while there is none. */
export const someAdmin = one<Record<string, never>>()(null, (db, t) =>
  db.select({ id: t.accounts.id }).from(t.accounts).where(isNotNull(t.accounts.admin_at)).limit(1),
);

/** What administrators did before an id, newest first, with their present addresses. */
export const actsBefore = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ act: t.admin_acts, email: t.accounts.email })
    .from(t.admin_acts)
    .leftJoin(t.accounts, eq(t.accounts.id, t.admin_acts.by_id))
    .where(lt(t.admin_acts.id, arg('before')))
    .orderBy(desc(t.admin_acts.id))
    .limit(arg('limit')),
);
