// Reads of accounts, keys, sessions, codes, challenges, and programs with their grants.
import { and, desc, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';

export const keyByHash = one<{ hash: string }>()('api_keys', (db, t) =>
  db
    .select()
    .from(t.api_keys)
    .where(eq(t.api_keys.hash, arg('hash')))
    .limit(1),
);

export const keyById = byId('api_keys');
export const keyUseById = byId('key_uses');

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

export const outsideById = byId('outside_identities');

export const outsideOfAccount = one<{ account_id: string }>()('outside_identities', (db, t) =>
  db
    .select()
    .from(t.outside_identities)
    .where(eq(t.outside_identities.account_id, arg('account_id')))
    .limit(1),
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

/** A page of the account's valid sessions at `now_ms`, newest first. */
export const sessionsOfAccount = many<{ account_id: string; now_ms: number; before: string; limit: number }>()(
  'sessions',
  (db, t) =>
    db
      .select()
      .from(t.sessions)
      .where(
        and(
          eq(t.sessions.account_id, arg('account_id')),
          isNull(t.sessions.ended_at),
          gt(t.sessions.expires_at, arg('now_ms')),
          lt(t.sessions.id, arg('before')),
        ),
      )
      .orderBy(desc(t.sessions.id))
      .limit(arg('limit')),
);

export const passkeyById = byId('passkeys');

/** The passkey that a device names. */
export const passkeyByCredential = one<{ credential_id: string }>()('passkeys', (db, t) =>
  db
    .select()
    .from(t.passkeys)
    .where(eq(t.passkeys.credential_id, arg('credential_id')))
    .limit(1),
);

/** All of an account's, oldest first; a counter bounds them. */
export const passkeysOfAccount = many<{ account_id: string }>()('passkeys', (db, t) =>
  db
    .select()
    .from(t.passkeys)
    .where(eq(t.passkeys.account_id, arg('account_id')))
    .orderBy(t.passkeys.id),
);

/** Some of the account's keys that work at `now_ms`; and of the programs that its person let in. */
export const workingKeys = many<{ account_id: string; now_ms: number; limit: number }>()('api_keys', (db, t) =>
  db
    .select()
    .from(t.api_keys)
    .where(
      and(
        eq(t.api_keys.account_id, arg('account_id')),
        isNull(t.api_keys.revoked_at),
        gt(t.api_keys.expires_at, arg('now_ms')),
      ),
    )
    .limit(arg('limit')),
);

export const openGrants = many<{ account_id: string; limit: number }>()('oauth_grants', (db, t) =>
  db
    .select()
    .from(t.oauth_grants)
    .where(and(eq(t.oauth_grants.account_id, arg('account_id')), isNull(t.oauth_grants.ended_at)))
    .limit(arg('limit')),
);

export const oauthClientById = byId('oauth_clients');

export const grantById = byId('oauth_grants');

/** A page of the account's valid grants at `now_ms`, newest first, with their agent's handle. */
export const grantsOfAccount = many<{ account_id: string; now_ms: number; before: string; limit: number }>()(
  null,
  (db, t) =>
    db
      .select({ grant: t.oauth_grants, agent_handle: t.agents.handle })
      .from(t.oauth_grants)
      .leftJoin(t.agents, eq(t.agents.id, t.oauth_grants.agent_id))
      .where(
        and(
          eq(t.oauth_grants.account_id, arg('account_id')),
          isNotNull(t.oauth_grants.redeemed_at),
          isNull(t.oauth_grants.ended_at),
          gt(t.oauth_grants.expires_at, arg('now_ms')),
          lt(t.oauth_grants.id, arg('before')),
        ),
      )
      .orderBy(desc(t.oauth_grants.id))
      .limit(arg('limit')),
);

export const codeById = byId('codes');

export const installById = byId('installs');

export const challengeById = byId('challenges');

export const idempotencyById = byId('idempotency', null);
