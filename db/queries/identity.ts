// Reads of accounts, keys, sessions, codes and challenges.
import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const keyByHash = one<{ hash: string }>()('api_keys', (db, t) =>
  db
    .select()
    .from(t.api_keys)
    .where(eq(t.api_keys.hash, arg('hash')))
    .limit(1),
);

export const keyById = byId('api_keys');

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

export const accountById = byId('accounts');

export const accountByEmail = one<{ email: string }>()('accounts', (db, t) =>
  db
    .select()
    .from(t.accounts)
    .where(eq(t.accounts.email, arg('email')))
    .limit(1),
);

export const sessionById = byId('sessions');

export const codeById = byId('codes');

export const challengeById = byId('challenges');

export const idempotencyById = byId('idempotency', null);
