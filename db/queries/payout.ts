// Reads of payouts.
import { and, desc, eq, lt } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

/** An agent's withdrawal under a key that its person gave it. */
export const payoutByRequest = one<{ agent_id: string; request_key: string }>()('payouts', (db, t) =>
  db
    .select()
    .from(t.payouts)
    .where(and(eq(t.payouts.agent_id, arg('agent_id')), eq(t.payouts.request_key, arg('request_key'))))
    .limit(1),
);

/** An agent's payouts before an id, newest first. */
export const payoutsOfAgent = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.payouts)
    .where(and(eq(t.payouts.agent_id, arg('agent_id')), lt(t.payouts.id, arg('before'))))
    .orderBy(desc(t.payouts.id))
    .limit(arg('limit')),
);
