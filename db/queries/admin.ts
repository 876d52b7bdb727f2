// Reads of administrators, of what they did, and of the people and agents that they look through. Ids are UUIDs of version 7, so they sort by age.
import { and, asc, count, desc, eq, gte, isNotNull, isNull, lt, max, ne, type SQL } from 'drizzle-orm';
import { arg, type Db, many, one } from '../query.ts';
import type { Tables } from '../schema/tables.ts';

/** Some stored administrator; null while there is none. */
export const someAdmin = one<Record<string, never>>()(null, (db, t) =>
  db.select({ id: t.accounts.id }).from(t.accounts).where(isNotNull(t.accounts.admin_at)).limit(1),
);

/** Administrators' acts before an id, newest first, with their current addresses. */
export const actsBefore = many<{ before: string; limit: number }>()(null, (db, t) =>
  db
    .select({ act: t.admin_acts, email: t.accounts.email })
    .from(t.admin_acts)
    .leftJoin(t.accounts, eq(t.accounts.id, t.admin_acts.by_id))
    .where(lt(t.admin_acts.id, arg('before')))
    .orderBy(desc(t.admin_acts.id))
    .limit(arg('limit')),
);

/** Another administrator who can sign in: read with its version, so that of two who suspend each other one stays. */
export const otherAdmin = one<{ id: string }>()('accounts', (db, t) =>
  db
    .select()
    .from(t.accounts)
    .where(and(isNotNull(t.accounts.admin_at), isNull(t.accounts.suspended_at), ne(t.accounts.id, arg('id'))))
    .orderBy(desc(t.accounts.id))
    .limit(1),
);

type Before = { before: string; limit: number };

function peopleWhere(db: Db, { accounts: t }: Tables, which: SQL | undefined) {
  return db
    .select()
    .from(t)
    .where(and(which, lt(t.id, arg('before'))))
    .orderBy(desc(t.id))
    .limit(arg('limit'));
}

/** Accounts that are not deleted, newest first. */
export const peopleBefore = many<Before>()(null, (db, t) => peopleWhere(db, t, isNull(t.accounts.deleted_at)));

export const suspendedBefore = many<Before>()(null, (db, t) =>
  peopleWhere(db, t, and(isNotNull(t.accounts.suspended_at), isNull(t.accounts.deleted_at))),
);

export const adminsBefore = many<Before>()(null, (db, t) => peopleWhere(db, t, isNotNull(t.accounts.admin_at)));

/** Accounts whose address lies from one text on and before another, by the address. */
export const peopleByEmail = many<{ from: string; to: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.accounts)
    .where(and(gte(t.accounts.email, arg('from')), lt(t.accounts.email, arg('to'))))
    .orderBy(asc(t.accounts.email))
    .limit(arg('limit')),
);

/** Agents of one account that are counted. */
export const AGENTS_COUNTED_MAX = 100;

/** How many agents an account has, and when one of them was last seen. */
export const agentsInUse = one<{ account_id: string }>()(null, (db, t) => {
  const own = db
    .select({ id: t.agents.id })
    .from(t.agents)
    .where(and(eq(t.agents.account_id, arg('account_id')), isNull(t.agents.deactivated_at)))
    .limit(AGENTS_COUNTED_MAX)
    .as('own');
  return db
    .select({ n: count(), seen_at: max(t.presence.last_seen_at).mapWith(Number) })
    .from(own)
    .leftJoin(t.presence, eq(t.presence.id, own.id));
});

/** The time of an account's last sign-in. */
export const lastSignIn = one<{ account_id: string }>()(null, (db, t) =>
  db
    .select({ at: t.sessions.created_at })
    .from(t.sessions)
    .where(eq(t.sessions.account_id, arg('account_id')))
    .orderBy(desc(t.sessions.id))
    .limit(1),
);

function agentsListed(db: Db, { agents: t, accounts, presence }: Tables) {
  return db
    .select({
      id: t.id,
      handle: t.handle,
      display_name: t.display_name,
      kind: t.kind,
      account_id: t.account_id,
      email: accounts.email,
      visibility: t.visibility,
      verified_at: t.verified_at,
      deactivated_at: t.deactivated_at,
      created_at: t.created_at,
      seen_at: presence.last_seen_at,
    })
    .from(t)
    .innerJoin(accounts, eq(accounts.id, t.account_id))
    .leftJoin(presence, eq(presence.id, t.id));
}

/** Agents that are not deactivated, newest first. */
export const agentsBefore = many<Before>()(null, (db, t) =>
  agentsListed(db, t)
    .where(and(isNull(t.agents.deactivated_at), lt(t.agents.id, arg('before'))))
    .orderBy(desc(t.agents.id))
    .limit(arg('limit')),
);

/** Agents whose handle lies from one text on and before another, by the handle. */
export const agentsByName = many<{ from: string; to: string; limit: number }>()(null, (db, t) =>
  agentsListed(db, t)
    .where(and(gte(t.agents.handle, arg('from')), lt(t.agents.handle, arg('to'))))
    .orderBy(asc(t.agents.handle))
    .limit(arg('limit')),
);

/** How far people and agents are counted: a walk along an index of their ids alone. */
export const COUNTED_MAX = 10_000;

/** Ids from one on. */
type From = { from: string };

/** The rows of a table that there are of a kind; all tables look alike here but for their rows. */
function counted(db: Db, table: Tables['accounts'] | Tables['agents'] | Tables['reviews'], which: SQL | undefined) {
  const from = table as Tables['accounts'];
  const found = db.select({ id: from.id }).from(from).where(which).limit(COUNTED_MAX).as('found');
  return db.select({ n: count() }).from(found);
}

export const peopleFrom = one<From>()(null, (db, { accounts: t }) =>
  counted(db, t, and(isNull(t.deleted_at), gte(t.id, arg('from')))),
);

export const suspendedPeople = one<Record<string, never>>()(null, (db, { accounts: t }) =>
  counted(db, t, and(isNotNull(t.suspended_at), isNull(t.deleted_at))),
);

export const agentsFrom = one<From>()(null, (db, { agents: t }) =>
  counted(db, t, and(isNull(t.deactivated_at), gte(t.id, arg('from')))),
);

export const openReviews = one<Record<string, never>>()(null, (db, { reviews: t }) =>
  counted(db, t, eq(t.status, 'open')),
);
