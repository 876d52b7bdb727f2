// Authenticates callers: an API key by its hash, an access token by its signature and the row of its session or agent. Results are cached and
// dropped as soon as a commit changes them; mutations check the row again in their commit.
import { type CommitCache, commitCache } from '../../db/commit-cache.ts';
import { patch } from '../../db/effects.ts';
import { agentById, agentsOfAccount } from '../../db/queries/agent.ts';
import { accountById, grantById, keyByHash, outsideById, sessionById } from '../../db/queries/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Told } from '../../db/schema/told.ts';
import type { Principal } from '../contract/context.ts';
import { type Fault, fault, isFault } from '../domain/fault.ts';
import { grantStands } from '../domain/identity/grant.ts';
import { isWellFormedKey } from '../domain/identity/key.ts';
import { scopesOnPlan } from '../domain/identity/plan.ts';
import { type Guard, guardRows } from '../domain/identity/rate.ts';
import { opens } from '../domain/identity/resource.ts';
import { sameSecret, sha256Hex } from '../outbound/hash.ts';
import type { AgentClaims, GrantClaims } from '../outbound/session/issuer.ts';
import { readPairWorth, revokedSince } from '../steps/session/find.ts';
import { sessionOfPage } from '../steps/session/open.ts';
import { outsideId } from '../steps/session/outside.ts';
import type { Call, Caller, Credentials, Origin } from './call.ts';
import type { Core } from './core.ts';

// Access tokens of clients: of an agent that asked by its own key pair, or of a program with a person's grant. Either counts like
// a key, as long as the row behind it is valid.

/** A valid credential, as it was read. */
interface Credential {
  readonly principal: Principal;
  readonly account_id: string;
  readonly guard: Guard;
  /** When it expires. */
  readonly expires_at: number;
  /** Whether its account is suspended. */
  readonly suspended: boolean;
}

/** The claims of a client's token. */
type ClientClaims = AgentClaims | GrantClaims;

export const NOBODY: Principal = {
  kind: 'none',
  account_id: null,
  plan: 'free',
  scopes: new Set(),
  provisional: false,
  admin: false,
  language: null,
  seen_language: null,
  key_agent_id: null,
  credential_id: null,
  guard: null,
  budget: null,
};

/** The credential; null when it is invalid. */
function readClient(core: Core, claims: ClientClaims): Promise<Credential | null> {
  return 'grant_id' in claims ? readGrant(core, claims) : readAgent(core, claims);
}

/** A token counts like a key that is bound to its agent, as long as the key pair that asked for it is still the agent's and valid. */
async function readAgent(
  { store, clock }: Core,
  { sub, jti, exp, scopes, fingerprint }: AgentClaims,
): Promise<Credential | null> {
  const agent = await store.read(agentById, { id: sub });
  const account = agent && (await store.read(accountById, { id: agent.account_id }));
  if (!account || account.deleted_at !== null) return null;
  const suspended = account.suspended_at !== null;
  // The agents of a suspended account are deactivated; it is told why.
  if (agent.fingerprint !== fingerprint || (agent.deactivated_at !== null && !suspended)) return null;
  const worth = await readPairWorth(store.read, agent, clock.now());
  if (worth === null) return null;
  const { under } = worth;
  const guard = { table: 'agents', id: agent.id, version: agent.version, fingerprint, under } as const;
  const principal: Principal = {
    ...NOBODY,
    kind: 'key',
    account_id: account.id,
    plan: account.plan,
    language: account.language,
    seen_language: account.seen_language,
    scopes: new Set(scopes.filter((scope) => worth.scopes.includes(scope))),
    provisional: agent.provisional === 1,
    key_agent_id: agent.id,
    credential_id: under?.id ?? jti,
    guard,
    budget: worth.budget,
  };
  return { principal, account_id: account.id, guard, suspended, expires_at: Math.min(exp * 1000, worth.ends_at) };
}

/** A program's token has the requested scopes that its person granted. */
async function readGrant(
  { store, clock }: Core,
  { sub, client_id, grant_id, scopes, exp }: GrantClaims,
): Promise<Credential | null> {
  const grant = await store.read(grantById, { id: grant_id });
  if (!grant || !grantStands(grant, clock.now())) return null;
  if (grant.account_id !== sub || grant.client_id !== client_id) return null;
  const account = await store.read(accountById, { id: sub });
  if (!account || account.deleted_at !== null) return null;
  const guard = { table: 'oauth_grants', id: grant.id, version: grant.version } as const;
  const principal: Principal = {
    ...NOBODY,
    kind: 'key',
    account_id: account.id,
    plan: account.plan,
    language: account.language,
    seen_language: account.seen_language,
    scopes: new Set(scopes.filter((scope) => grant.scopes.includes(scope))),
    key_agent_id: grant.agent_id,
    credential_id: grant.id,
    guard,
  };
  const suspended = account.suspended_at !== null;
  return { principal, account_id: account.id, guard, suspended, expires_at: Math.min(exp * 1000, grant.expires_at) };
}

/** The deadline for fetching the provider's keys. */
const KEYS_MS = 3_000;

interface OutsideSession {
  readonly principal: Principal;
  readonly account_id: string;
  readonly expires_at: number;
}

/** The session; null when it is no token of the provider for this service. */
async function readOutside(
  { identity, store, clock }: Pick<Core, 'identity' | 'store' | 'clock'>,
  token: string,
): Promise<OutsideSession | Fault<'provider_unavailable' | 'account_suspended'> | null> {
  if (identity === null) return null;
  const told = await identity.readAccess(token, AbortSignal.timeout(KEYS_MS));
  if (told === 'silent') return fault('provider_unavailable');
  if (told === 'refused') return null;
  const person = await store.read(outsideById, { id: outsideId(identity.issuer, told.subject) });
  const account = person && (await store.read(accountById, { id: person.account_id }));
  if (!account || account.deleted_at !== null) return null;
  if (account.suspended_at !== null) return fault('account_suspended');
  if (await revokedSince(store.read, account.id, told.issued_at)) return null;
  const { id: account_id, plan, language, seen_language } = account;
  const who = { account_id, plan, language, seen_language, credential_id: person.id };
  const principal: Principal = { ...NOBODY, kind: 'session', ...who };
  return { principal, account_id, expires_at: clock.now() + told.left_ms };
}

/** Cached credentials of a kind; one is about 1 KB. */
const CREDENTIALS_MAX = 20_000;
/** Accounts with cached agents; one with a single agent is about 1 KB. */
const ACCOUNTS_MAX = 20_000;

const SESSION_ENDED = 'The access token is wrong, expired or its session has ended.';
const TOKEN_ENDED = "The access token is for another address, or its agent's key was replaced; ask for a new one.";
const GRANT_ENDED = 'The access token is for another address, or its person let the program in no longer.';

const PLATFORM: Principal = { ...NOBODY, kind: 'platform' };
const MAIL: Principal = { ...NOBODY, kind: 'mail' };
/** The supervisor's own calls: no outside caller ever has this principal. */
export const INTERNAL: Principal = { ...NOBODY, kind: 'internal' };

const noAgents = async (): Promise<readonly Row<'agents'>[]> => [];

/** A caller without a credential. */
export const ANYBODY: Caller = {
  principal: NOBODY,
  token_ends_at: Number.POSITIVE_INFINITY,
  ends_at: Number.POSITIVE_INFINITY,
  agents: noAgents,
};

/** A change of its own row or of its account drops a cached credential; an invalid one is not cached. */
function rowsOf(credential: Credential | null): Told[] | null {
  if (credential === null) return null;
  return [...guardRows(credential.guard), { table: 'accounts', id: credential.account_id }];
}

/** The keys that were sent, each once; most callers send one. */
function keysOf(key: string | null, other: string | null): readonly string[] {
  if (key === null) return other === null ? [] : [other];
  return other === null || other === key ? [key] : [key, other];
}

export class Principals {
  readonly #core: Core;
  /** By their hashes. */
  readonly #keys: CommitCache<Credential | null>;
  /** By the ids of their sessions. */
  readonly #sessions: CommitCache<Credential | null>;
  /** By the ids of agents' and programs' access tokens. */
  readonly #tokens: CommitCache<Credential | null, Promise<Credential | null>, ClientClaims>;
  /** By account. */
  readonly #agents: CommitCache<readonly Row<'agents'>[]>;

  constructor(core: Core) {
    this.#core = core;
    const { store, clock } = core;
    const kept = { store, now: () => clock.now() };
    const credentials = { ...kept, max: CREDENTIALS_MAX, rows: rowsOf };
    this.#keys = commitCache({
      ...credentials,
      tables: ['api_keys', 'accounts'],
      load: (hash) => this.#readKey(hash),
    });
    this.#sessions = commitCache({
      ...credentials,
      tables: ['sessions', 'accounts'],
      load: (session_id) => this.#readSession(session_id),
    });
    this.#tokens = commitCache<Credential | null, Promise<Credential | null>, ClientClaims>({
      ...credentials,
      tables: ['agents', 'accounts', 'api_keys', 'oauth_grants'],
      load: (_id, claims) => readClient(core, claims),
    });
    this.#agents = commitCache({
      ...kept,
      max: ACCOUNTS_MAX,
      tables: ['agents'],
      load: (account_id) => store.read(agentsOfAccount, { account_id }),
    });
  }

  /** The caller, or the 401 of a bad credential. A request without a credential is anonymous, not a fault. */
  resolve({ credential, origin }: Pick<Call, 'credential' | 'origin'>): Promise<Caller | Fault> {
    if (credential === 'mail') return Promise.resolve({ ...ANYBODY, principal: MAIL });
    if (credential.platform !== null) return Promise.resolve(this.#platform(credential.platform, origin));
    return this.#sent(credential, origin);
  }

  async #sent({ key, bearer, page = null }: Credentials, origin: Origin): Promise<Caller | Fault> {
    const bearerIsKey = bearer?.startsWith(`${this.#core.settings.key_prefix}_`) ?? false;
    const found: Credential[] = [];
    for (const sent of keysOf(key, bearerIsKey ? bearer : null)) {
      const reading = this.#byKey(sent);
      const credential = reading instanceof Promise ? await reading : reading;
      if (!credential) return fault('unauthorized', 'The API key is wrong, expired or revoked.');
      found.push(credential);
    }
    let token_ends_at = Number.POSITIVE_INFINITY;
    if (bearer !== null && !bearerIsKey) {
      const claims = await this.#core.sessions.verify(bearer, this.#core.clock.now());
      const outside = claims === null ? await readOutside(this.#core, bearer) : null;
      if (outside !== null) return isFault(outside) ? outside : this.#ofOutside(outside, found);
      const ofClient = claims !== null && 'client_id' in claims;
      const credential = await (ofClient ? this.#byToken(claims, origin) : claims && this.#bySession(claims.sid));
      token_ends_at = 1000 * (claims?.exp ?? 0);
      if (!credential) {
        return fault('unauthorized', !ofClient ? SESSION_ENDED : 'grant_id' in claims ? GRANT_ENDED : TOKEN_ENDED);
      }
      found.unshift(credential);
    }
    if (page !== null) {
      const session_id = sessionOfPage(page, this.#core.secrets);
      const credential = session_id === null ? null : await this.#bySession(session_id);
      if (!credential) return fault('unauthorized', SESSION_ENDED);
      found.push(credential);
    }
    const [first, second] = found;
    if (!first) return ANYBODY;
    if (second && second.account_id !== first.account_id) return fault('conflicting_credentials');
    if (first.suspended) return fault('account_suspended');
    const now_ms = this.#core.clock.now();
    for (const { guard } of found) if (guard.table === 'api_keys') this.#core.key_uses.note(guard.id, now_ms);
    const ends_at = Math.min(token_ends_at, first.expires_at);
    const { principal, account_id } = first;
    return { principal, token_ends_at, ends_at, agents: async () => this.#agents.get(account_id) };
  }

  /** A person by a token of the outside provider; a key sent with it must be of their account. */
  async #ofOutside(
    { principal, account_id, expires_at }: OutsideSession,
    beside: readonly Credential[],
  ): Promise<Caller | Fault> {
    if (beside.some((each) => each.account_id !== account_id)) return fault('conflicting_credentials');
    const account = await this.#core.store.read(accountById, { id: account_id });
    const admin = account !== null && this.#isAdmin(account);
    const agents = async () => this.#agents.get(account_id);
    return { principal: { ...principal, admin }, token_ends_at: expires_at, ends_at: expires_at, agents };
  }

  /** Forgets a credential, after a commit found that its row had changed. */
  forget({ guard }: Principal): void {
    if (guard?.table === 'api_keys') this.#keys.forget(guard);
    if (guard?.table === 'sessions') this.#sessions.forget(guard);
    if (guard?.table === 'agents' || guard?.table === 'oauth_grants') this.#tokens.forget(guard);
  }

  #platform(token: string, { browser }: Origin): Caller | Fault {
    // A page in a browser must never be able to spend a token that leaked into it.
    if (browser) return fault('unauthorized', 'X-Internal-Token is not taken from browsers.');
    if (!sameSecret(token, this.#core.settings.internal_token)) return fault('unauthorized');
    return { ...ANYBODY, principal: PLATFORM };
  }

  /** The cached credential, unless it has expired. An expired one is read again: a session continues when it is
   * refreshed. */
  #standing<By>(
    cache: CommitCache<Credential | null, Promise<Credential | null>, By>,
    name: string,
  ): Credential | null | undefined {
    const known = cache.known(name);
    if (!known || this.#core.clock.now() < known.expires_at) return known;
    cache.forget(known.guard);
    return undefined;
  }

  /** Stores a key's first use before its call is answered: whether a successor was used decides what its predecessor may
   * still do (Q98). */
  async #firstUse(hash: string): Promise<void> {
    const { store, clock } = this.#core;
    await store.turn({
      attempt: async (read) => {
        const row = await read(keyByHash, { hash });
        const usable = row && row.used_at === null && row.revoked_at === null;
        return { reply: null, effects: usable ? [patch('api_keys', row, { used_at: clock.now() })] : [] };
      },
    });
  }

  #byKey(key: string): Credential | null | Promise<Credential | null> {
    const hash = sha256Hex(key);
    const known = this.#standing(this.#keys, hash);
    if (known) return known;
    return isWellFormedKey(key, this.#core.settings.key_prefix) ? this.#keys.get(hash) : null;
  }

  async #readKey(hash: string): Promise<Credential | null> {
    const { store, clock } = this.#core;
    let row = await store.read(keyByHash, { hash });
    if (row && row.used_at === null && row.revoked_at === null && row.expires_at > clock.now()) {
      await this.#firstUse(hash);
      row = await store.read(keyByHash, { hash });
    }
    if (!row || row.revoked_at !== null || row.expires_at <= clock.now()) return null;
    const account = await store.read(accountById, { id: row.account_id });
    if (!account || account.deleted_at !== null) return null;
    const guard = { table: 'api_keys', id: row.id, version: row.version } as const;
    const principal: Principal = {
      kind: 'key',
      account_id: account.id,
      plan: account.plan,
      language: account.language,
      seen_language: account.seen_language,
      scopes: scopesOnPlan(row.scopes, account.plan),
      provisional: row.kind === 'provisional',
      admin: false,
      key_agent_id: row.agent_id,
      credential_id: row.id,
      guard,
      budget: row.budget,
    };
    const suspended = account.suspended_at !== null;
    return { principal, account_id: account.id, guard, suspended, expires_at: row.expires_at };
  }

  /** By the session's id, never the token's text: base64 has more than one spelling of the same token. */
  #bySession(session_id: string): Credential | null | Promise<Credential | null> {
    return this.#standing(this.#sessions, session_id) ?? this.#sessions.get(session_id);
  }

  /** Whether an account is a stored or configured administrator. */
  #isAdmin({ email, admin_at }: Row<'accounts'>): boolean {
    return admin_at !== null || (email !== null && this.#core.settings.admin_emails.includes(email));
  }

  async #readSession(session_id: string): Promise<Credential | null> {
    const { store, clock } = this.#core;
    const row = await store.read(sessionById, { id: session_id });
    if (!row || row.ended_at !== null || row.expires_at <= clock.now()) return null;
    const account = await store.read(accountById, { id: row.account_id });
    if (!account || account.deleted_at !== null) return null;
    const guard = { table: 'sessions', id: row.id, version: row.version } as const;
    const principal: Principal = {
      ...NOBODY,
      kind: 'session',
      account_id: account.id,
      plan: account.plan,
      language: account.language,
      seen_language: account.seen_language,
      admin: this.#isAdmin(account),
      credential_id: row.id,
      guard,
    };
    const suspended = account.suspended_at !== null;
    return { principal, account_id: account.id, guard, suspended, expires_at: row.expires_at };
  }

  /** A token for one address is not valid at another. */
  #byToken(claims: ClientClaims, { path = '' }: Origin): Credential | null | Promise<Credential | null> {
    if (!opens(claims.resource, path)) return null;
    return this.#standing(this.#tokens, claims.jti) ?? this.#tokens.get(claims.jti, claims);
  }
}
