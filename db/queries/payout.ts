// Reads of payouts, and of money that may not be withdrawn yet.
import { and, desc, eq, gt, lt } from 'drizzle-orm';
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

/** An agent's fundings whose hold has not ended: they may be spent, and not be withdrawn. */
export const heldFundings = many<{ agent_id: string; now_ms: number }>()('fundings', (db, t) =>
  db
    .select()
    .from(t.fundings)
    .where(
      and(
        eq(t.fundings.agent_id, arg('agent_id')),
        eq(t.fundings.status, 'paid'),
        gt(t.fundings.withdrawable_at, arg('now_ms')),
      ),
    ),
);
