// Reads of what goes through the payment processor: fundings, payouts, payees, plans, and the sandbox's own books.
import { and, desc, eq, lt } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const fundingById = byId('fundings');
export const payoutById = byId('payouts');
export const payeeById = byId('payees');
export const planCheckoutById = byId('plan_checkouts');
export const planTermsById = byId('plan_terms');
/** What a person decided on a page of the built-in processor; it never changes. */
export const sandboxObject = byId('sandbox_objects', null);

/** A page of an agent's fundings, newest first. */
export const fundingsOfAgent = many<{ agent_id: string; before: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.fundings)
    .where(and(eq(t.fundings.agent_id, arg('agent_id')), lt(t.fundings.id, arg('before'))))
    .orderBy(desc(t.fundings.id))
    .limit(arg('limit')),
);
