// Reads of disputes and their evidence.
import { and, asc, desc, eq, inArray, isNull, lt } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const disputeById = byId('disputes');

/** The newest of an escrow; which one is live its escrow says. */
export const latestDispute = one<{ escrow_id: string }>()('disputes', (db, t) =>
  db
    .select()
    .from(t.disputes)
    .where(eq(t.disputes.escrow_id, arg('escrow_id')))
    .orderBy(desc(t.disputes.id))
    .limit(1),
);

/** The evidence of both sides, in order; it never changes. */
export const evidenceOf = many<{ dispute_id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.dispute_evidence)
    .where(eq(t.dispute_evidence.dispute_id, arg('dispute_id')))
    .orderBy(asc(t.dispute_evidence.n)),
);

/** The disputes that have not ended, newest first. */
export const liveDisputes = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.disputes)
    .where(
      and(
        isNull(t.disputes.ended_at),
        inArray(t.disputes.status, ['open', 'responded']),
        lt(t.disputes.id, arg('before')),
      ),
    )
    .orderBy(desc(t.disputes.id))
    .limit(arg('limit')),
);
