// Identities and credentials: accounts, their API keys and sessions, mailed codes, passkey challenges, and grants to
// programs.
import { sql } from 'drizzle-orm';
import type { Language } from '../../src/domain/language.ts';
import type { Builders } from './builders.ts';
import { blank, gone, keep, secret, stays } from './personal.ts';

/** The budget of a developer key, besides the wallet's own limits. Counted under `id`, which a renewed key keeps. */
export interface BudgetColumn {
  readonly id: string;
  readonly per_call_cents: number | null;
  readonly per_day_cents: number | null;
  readonly total_cents: number | null;
  /** Agents' ids; null allows all. */
  readonly recipients: readonly string[] | null;
  /** Names of routed capabilities; null allows all. */
  readonly capabilities: readonly string[] | null;
}

// Without a return type: drizzle infers the row types from this literal.
export function identityTables(b: Builders) {
  const accounts = b.table(
    'accounts',
    {
      id: b.id(),
      /** Null for an unclaimed provisional account. */
      email: b.text('email', blank(null)),
      plan: b.code<'free' | 'pro'>('plan', blank('free')).notNull(),
      /** Of the app, the pages and letters; null where its person has not chosen. */
      language: b.code<Language>('language', blank(null)),
      /** Of the browser of the last sign-in: of letters while its person has not chosen. */
      seen_language: b.code<Language>('seen_language', blank(null)),
      provisional: b.int('provisional', keep).notNull().default(0),
      /** Since when its person is an administrator; null for others. ADMIN_EMAILS names further ones. */
      admin_at: b.int('admin_at', blank(null)),
      /** When its person deleted it: from then on it has no address and no valid credential. */
      deleted_at: b.int('deleted_at', keep),
      /** When an administrator suspended it. The agents that were deactivated with it have the same time. */
      suspended_at: b.int('suspended_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('accounts_email').on(t.email),
      b.index('accounts_live').on(t.id).where(sql`deleted_at IS NULL`),
      b.index('accounts_suspended').on(t.id).where(sql`suspended_at IS NOT NULL AND deleted_at IS NULL`),
      b.index('accounts_admin').on(t.admin_at).where(sql`admin_at IS NOT NULL`),
    ],
  );
  /** Acts and views of administrators, in the order of commits; written once. */
  const admin_acts = b.table('admin_acts', {
    id: b.id(),
    /** The administrator's account; `platform` for the operator. */
    by_id: b.code('by_id', keep).notNull(),
    operation: b.code('operation', keep).notNull(),
    /** Its subject: an id, or an account that was viewed. */
    subject_id: b.code('subject_id', keep),
    reason: b.text('reason', stays('what administrators did is kept')),
    created_at: b.int('created_at', keep).notNull(),
  });
  const api_keys = b.table(
    'api_keys',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      agent_id: b.code('agent_id', keep),
      hash: b.code('hash', secret(keep)).notNull(),
      prefix: b.code('prefix', keep).notNull(),
      name: b.text('name', gone).notNull(),
      kind: b.code<'signup' | 'developer' | 'provisional'>('kind', keep).notNull(),
      scopes: b.json<readonly string[]>('scopes', gone).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      revoked_at: b.int('revoked_at', keep),
      /** The key that renewal put in this one's place; set once. */
      successor_id: b.code('successor_id', keep),
      /** First use as a credential: an unused successor may be revoked by a second renewal (Q98). */
      used_at: b.int('used_at', keep),
      budget: b.json<BudgetColumn | null>('budget', gone),
      version: b.version(),
    },
    (t) => [b.uniqueIndex('api_keys_hash').on(t.hash), b.index('api_keys_account').on(t.account_id, t.id)],
  );
  /** Lossy: written every half minute at most, and kept apart so that it never moves a key's version. */
  const key_uses = b.table('key_uses', { id: b.id(), last_used_at: b.int('last_used_at', keep).notNull() });
  /** One live code per purpose and address: the id is `purpose:address`. */
  const codes = b.table(
    'codes',
    {
      id: b.id(),
      hash: b.code('hash', secret(keep)).notNull(),
      data: b.json<Record<string, string>>('data', gone).notNull(),
      tries: b.int('tries', keep).notNull().default(0),
      sent_at: b.int('sent_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('codes_expiry').on(t.expires_at)],
  );
  const sessions = b.table(
    'sessions',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      /** Of the one refresh token that works now; an earlier one of the same session is known by not matching. */
      refresh_hash: b.code('refresh_hash', secret(keep)).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      version: b.version(),
    },
    (t) => [b.index('sessions_account').on(t.account_id, t.id), b.index('sessions_expiry').on(t.expires_at)],
  );
  /** People who sign in through an outside identity provider: the id is a hash of issuer and subject. An account has one such person,
   * and a person one account. */
  const outside_identities = b.table(
    'outside_identities',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.uniqueIndex('outside_identities_account').on(t.account_id)],
  );
  /** Passkeys for sign-in: the public keys, whose private keys never leave the devices. */
  const passkeys = b.table(
    'passkeys',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      /** The device's credential id, in base64url. */
      credential_id: b.code('credential_id', keep).notNull(),
      /** A COSE key, in base64url. */
      public_key: b.text('public_key', gone).notNull(),
      /** The device's signature counter, if it has one; it must grow with each use. */
      counter: b.int('counter', keep).notNull(),
      transports: b.json<readonly string[]>('transports', gone).notNull(),
      /** Whether its maker keeps copies of it, for the person's other devices. */
      backed_up: b.int('backed_up', keep).notNull(),
      name: b.text('name', gone).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      used_at: b.int('used_at', keep),
      /** When its counter ran backwards: there may be a copy of it, so it is refused from then on. */
      copied_at: b.int('copied_at', keep),
      version: b.version(),
    },
    (t) => [b.uniqueIndex('passkeys_credential').on(t.credential_id), b.index('passkeys_account').on(t.account_id)],
  );
  const challenges = b.table(
    'challenges',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('challenges_expiry').on(t.expires_at)],
  );
  /** Invitation links for new accounts. */
  const invitations = b.table(
    'invitations',
    {
      id: b.id(),
      /** The maker's account; null for the operator. */
      account_id: b.code('account_id', keep),
      by: b.code<'admin' | 'member'>('by', keep).notNull(),
      hash: b.code('hash', secret(keep)).notNull(),
      /** The invited address: named by its maker, or by the person who opened the link. Null again once it was used. */
      email: b.text('email', gone),
      /** Whether its maker named the address. */
      bound: b.int('bound', keep).notNull(),
      /** The account that was made by it. */
      used_by: b.code('used_by', keep),
      used_at: b.int('used_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('invitations_hash').on(t.hash),
      b.index('invitations_email').on(t.email),
      b.index('invitations_account').on(t.account_id, t.id),
      b.index('invitations_expiry').on(t.expires_at),
    ],
  );
  /** OAuth clients by client id. A client's published document is kept for as long as its cache headers allow; a client that was
   * registered here is deleted when it is unused. */
  const oauth_clients = b.table(
    'oauth_clients',
    {
      id: b.id(),
      kind: b.code<'document' | 'registered'>('kind', keep).notNull(),
      name: b.text('name', stays('of a program, which is anybody’s')).notNull(),
      redirect_uris: b.json<readonly string[]>('redirect_uris', stays('of a program, which is anybody’s')).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('oauth_clients_expiry').on(t.expires_at)],
  );
  /** A person's grant to a program. Until its code is redeemed it lives as long as the code. */
  const oauth_grants = b.table(
    'oauth_grants',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      /** The one agent that the program acts as; null is any of the account's. */
      agent_id: b.code('agent_id', keep),
      client_id: b.code('client_id', keep).notNull(),
      client_kind: b.code<'document' | 'registered'>('client_kind', keep).notNull(),
      client_name: b.text('client_name', gone).notNull(),
      redirect_uri: b.text('redirect_uri', gone).notNull(),
      /** The path under the base for which its tokens are made out. */
      resource: b.code('resource', keep).notNull(),
      scopes: b.json<readonly string[]>('scopes', gone).notNull(),
      /** Of PKCE, by S256. */
      challenge: b.code('challenge', secret(keep)).notNull(),
      code_hash: b.code('code_hash', secret(keep)).notNull(),
      /** When the code was traded for tokens; a second time ends the grant. */
      redeemed_at: b.int('redeemed_at', keep),
      /** How often its refresh token was replaced, and when it last was. */
      rotations: b.int('rotations', keep).notNull().default(0),
      rotated_at: b.json<readonly number[] | null>('rotated_at', gone),
      /** When its program last got an access token. */
      used_at: b.int('used_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      /** When it ends once it is redeemed; its person chose it. */
      ends_at: b.int('ends_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      version: b.version(),
    },
    (t) => [b.index('oauth_grants_account').on(t.account_id, t.id), b.index('oauth_grants_expiry').on(t.expires_at)],
  );
  /** Installations that were provisioned: the id is the hash of what an installation calls itself. */
  const installs = b.table('installs', {
    id: b.id(),
    agent_id: b.code('agent_id', keep).notNull(),
    /** The provisional key that works now. */
    key_id: b.code('key_id', keep).notNull(),
    created_at: b.int('created_at', keep).notNull(),
    version: b.version(),
  });
  return {
    accounts,
    admin_acts,
    api_keys,
    key_uses,
    codes,
    sessions,
    outside_identities,
    passkeys,
    challenges,
    invitations,
    installs,
    oauth_clients,
    oauth_grants,
  };
}
