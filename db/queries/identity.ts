// Reads of accounts, keys, sessions, codes and challenges.
import { and, desc, eq, isNull } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

export const keyByHash = one<{ hash: string }>()('api_keys', (db, t) =>
  db.select().from(t.api_keys).where(eq(t.api_keys.hash, arg('hash'))).limit(1),
);

export const keyById = one<{ id: string }>()('api_keys', (db, t) =>
  db.select().from(t.api_keys).where(eq(t.api_keys.id, arg('id'))).limit(1),
);

/** An account's keys that were not revoked, newest first. */
export const keysOfAccount = many<{ account_id: string }>()('api_keys', (db, t) =>
  db
    .select()
    .from(t.api_keys)
    .where(and(eq(t.api_keys.account_id, arg('account_id')), isNull(t.api_keys.revoked_at)))
    .orderBy(desc(t.api_keys.id)),
);

export const accountById = one<{ id: string }>()('accounts', (db, t) =>
  db.select().from(t.accounts).where(eq(t.accounts.id, arg('id'))).limit(1),
);

export const accountByEmail = one<{ email: string }>()('accounts', (db, t) =>
  db.select().from(t.accounts).where(eq(t.accounts.email, arg('email'))).limit(1),
);

export const sessionById = one<{ id: string }>()('sessions', (db, t) =>
  db.select().from(t.sessions).where(eq(t.sessions.id, arg('id'))).limit(1),
);

export const sessionByRefresh = one<{ refresh_hash: string }>()('sessions', (db, t) =>
  db.select().from(t.sessions).where(eq(t.sessions.refresh_hash, arg('refresh_hash'))).limit(1),
);

export const codeById = one<{ id: string }>()('codes', (db, t) =>
  db.select().from(t.codes).where(eq(t.codes.id, arg('id'))).limit(1),
);

export const challengeById = one<{ id: string }>()('challenges', (db, t) =>
  db.select().from(t.challenges).where(eq(t.challenges.id, arg('id'))).limit(1),
);

export const idempotencyById = one<{ id: string }>()(null, (db, t) =>
  db.select().from(t.idempotency).where(eq(t.idempotency.id, arg('id'))).limit(1),
);
