// Reads of invitations. Ids are UUIDs of version 7, so they sort by age.
import { and, asc, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const invitationById = byId('invitations');

/** The invitation of a link. */
export const invitationByHash = one<{ hash: string }>()('invitations', (db, t) =>
  db
    .select()
    .from(t.invitations)
    .where(eq(t.invitations.hash, arg('hash')))
    .limit(1),
);

/** Those that may let an address in, newest first. */
export const invitationsTo = many<{ email: string; now_ms: number; limit: number }>()('invitations', (db, t) =>
  db
    .select()
    .from(t.invitations)
    .where(
      and(
        eq(t.invitations.email, arg('email')),
        isNull(t.invitations.used_at),
        gt(t.invitations.expires_at, arg('now_ms')),
      ),
    )
    .orderBy(asc(t.invitations.by), desc(t.invitations.id))
    .limit(arg('limit')),
);

/** Those that an account made, newest first. */
export const invitationsOf = many<{ account_id: string; before: string; limit: number }>()('invitations', (db, t) =>
  db
    .select()
    .from(t.invitations)
    .where(and(eq(t.invitations.account_id, arg('account_id')), lt(t.invitations.id, arg('before'))))
    .orderBy(desc(t.invitations.id))
    .limit(arg('limit')),
);

/** The invitations of all accounts, newest first. */
export const allInvitations = many<{ before: string; limit: number }>()('invitations', (db, t) =>
  db
    .select()
    .from(t.invitations)
    .where(lt(t.invitations.id, arg('before')))
    .orderBy(desc(t.invitations.id))
    .limit(arg('limit')),
);
