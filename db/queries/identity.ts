// Reads of accounts, keys, sessions, codes and challenges.
import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

export const keyByHash = one<{ hash: string }>()('api_keys', (db, t) =>
  db
    .select()
    .from(t.api_keys)
    .where(eq(t.api_keys.hash, arg('hash')))
    .limit(1),
);

export const keyById = one<{ id: string }>()('api_keys', (db, t) =>
  db
    .select()
    .from(t.api_keys)
    .where(eq(t.api_keys.id, arg('id')))
    .limit(1),
);

/** A page of the account's keys that work at `now_ms`, newest first, with their agent's handle and last known use. */
export const keysOfAccount = many<{ account_id: string; now_ms: number; before: string; limit: number }>()(
  null,
  (db, t) =>
    db
      .select({ key: t.api_keys, agent_handle: t.agents.handle, last_used_at: t.key_uses.last_used_at })
      .from(t.api_keys)
      .leftJoin(t.agents, eq(t.agents.id, t.api_keys.agent_id))
      .leftJoin(t.key_uses, eq(t.key_uses.id, t.api_keys.id))
      .where(
        and(
          eq(t.api_keys.account_id, arg('account_id')),
          isNull(t.api_keys.revoked_at),
          gt(t.api_keys.expires_at, arg('now_ms')),
          lt(t.api_keys.id, arg('before')),
        ),
      )
      .orderBy(desc(t.api_keys.id))
      .limit(arg('limit')),
);

export const accountById = one<{ id: string }>()('accounts', (db, t) =>
  db
    .select()
    .from(t.accounts)
    .where(eq(t.accounts.id, arg('id')))
    .limit(1),
);

export const accountByEmail = one<{ email: string }>()('accounts', (db, t) =>
  db
    .select()
    .from(t.accounts)
    .where(eq(t.accounts.email, arg('email')))
    .limit(1),
);

export const sessionById = one<{ id: string }>()('sessions', (db, t) =>
  db
    .select()
    .from(t.sessions)
    .where(eq(t.sessions.id, arg('id')))
    .limit(1),
);

export const codeById = one<{ id: string }>()('codes', (db, t) =>
  db
    .select()
    .from(t.codes)
    .where(eq(t.codes.id, arg('id')))
    .limit(1),
);

export const challengeById = one<{ id: string }>()('challenges', (db, t) =>
  db
    .select()
    .from(t.challenges)
    .where(eq(t.challenges.id, arg('id')))
    .limit(1),
);

export const idempotencyById = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.idempotency)
    .where(eq(t.idempotency.id, arg('id')))
    .limit(1),
);
