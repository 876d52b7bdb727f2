// Finds out who calls: an API key by its hash, a session token by its signature and its row. What was found is cached,
// and dropped at once when a commit changes it; mutations check the row again in their commit.
import { patch } from '../../../db/effects.ts';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { accountById, keyByHash, sessionById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { nameOf, type ToldTable } from '../../../db/schema/told.ts';
import type { CommitNotice } from '../../../db/store.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { isWellFormedKey } from '../../domain/key.ts';
import { scopesOnPlan } from '../../domain/scope.ts';
import { sameSecret, sha256Hex } from '../../outbound/hash.ts';
import type { Principal } from '../operation.ts';
import type { World } from '../world.ts';
import type { Call } from './call.ts';

/** How long another node's change may go unseen (architecture.md 3). Where there is none, nothing goes unseen. */
const SHARED_CACHE_MS = 5_000;
/** Entries kept; one is about 2 KB with its agents. */
const CACHE_MAX = 20_000;
const CALLER_TABLES: ReadonlySet<ToldTable> = new Set(['accounts', 'agents', 'api_keys', 'sessions']);

interface Entry {
  readonly principal: Principal;
  /** When the credential itself ends. */
  readonly expires_at: number;
  readonly read_at: number;
  /** Whose use is noted; null for sessions. */
  readonly key_id: string | null;
  agents: readonly Row<'agents'>[] | null;
}

export interface Caller {
  readonly principal: Principal;
  /** The caller's live agents, oldest first; read once per cache entry. */
  agents(): Promise<readonly Row<'agents'>[]>;
}

export const NOBODY: Principal = {
  kind: 'none',
  account_id: null,
  plan: 'free',
  scopes: new Set(),
  provisional: false,
  admin: false,
  key_agent_id: null,
  credential_id: null,
  guard: null,
};

const PLATFORM: Principal = { ...NOBODY, kind: 'platform' };
/** The supervisor's own calls: nothing from outside ever has this principal. */
export const INTERNAL: Principal = { ...NOBODY, kind: 'internal' };

const none = async (): Promise<readonly Row<'agents'>[]> => [];

/** A caller without a credential. */
export const ANYBODY: Caller = { principal: NOBODY, agents: none };

export class Principals {
  readonly #world: World;
  readonly #cache_ms: number;
  readonly #cache = new Map<string, Entry>();
  /** Cached under which name, by the credential's row as commits name it. */
  readonly #names = new Map<string, string>();
  /** Moves with every commit that changed what callers are made of: what was read before it is not kept after it. */
  #epoch = 0;

  constructor(world: World) {
    this.#world = world;
    this.#cache_ms = world.store.shared ? SHARED_CACHE_MS : Number.POSITIVE_INFINITY;
    world.store.onCommit((notice) => this.#invalidate(notice));
  }

  /** The caller, or the 401 that a bad credential earns. No credential at all is nobody, not a fault. */
  async resolve(call: Call): Promise<Caller | Fault> {
    if (call.platform_token !== null) return this.#platform(call, call.platform_token);
    const bearerIsKey = call.bearer?.startsWith(`${this.#world.settings.key_prefix}_`) ?? false;
    const keys = [call.api_key, bearerIsKey ? call.bearer : null].filter((key) => key !== null);
    const found: Entry[] = [];
    for (const key of new Set(keys)) {
      const entry = await this.#byKey(key);
      if (!entry) return fault('unauthorized', 'The API key is wrong, expired or revoked.');
      found.push(entry);
    }
    if (call.bearer !== null && !bearerIsKey) {
      const entry = await this.#byToken(call.bearer);
      if (!entry) return fault('unauthorized', 'The access token is wrong, expired or its session has ended.');
      found.unshift(entry);
    }
    const [first, second] = found;
    if (!first) return ANYBODY;
    if (second && second.principal.account_id !== first.principal.account_id) return fault('conflicting_credentials');
    for (const { key_id } of found) if (key_id !== null) this.#world.key_uses.note(key_id, this.#world.clock.now());
    return { principal: first.principal, agents: () => this.#agents(first) };
  }

  /** Forgets a credential, after a commit found that it had changed. */
  forgetAll(): void {
    this.#cache.clear();
    this.#names.clear();
  }

  #platform(call: Call, token: string): Caller | Fault {
    // A page in a browser must never be able to spend a token that leaked into it.
    if (call.from_browser) return fault('unauthorized', 'X-Internal-Token is not taken from browsers.');
    if (!sameSecret(token, this.#world.settings.internal_token)) return fault('unauthorized');
    return { principal: PLATFORM, agents: none };
  }

  #cached(hash: string): Entry | null {
    const entry = this.#cache.get(hash);
    if (!entry) return null;
    const now_ms = this.#world.clock.now();
    if (now_ms - entry.read_at < this.#cache_ms && now_ms < entry.expires_at) return entry;
    this.#cache.delete(hash);
    return null;
  }

  #keep(name: string, principal: Principal, expires_at: number, epoch: number): Entry {
    if (this.#names.size >= CACHE_MAX) this.forgetAll();
    const key_id = principal.kind === 'key' ? principal.credential_id : null;
    const entry = { principal, expires_at, read_at: this.#world.clock.now(), key_id, agents: null };
    if (epoch !== this.#epoch) return entry;
    this.#cache.set(name, entry);
    if (principal.guard) this.#names.set(`${principal.guard.table}:${principal.guard.id}`, name);
    return entry;
  }

  /** Notes a key's first use on disk before anything is answered to it: whether a successor was used decides what its
   * predecessor may still do (Q98). */
  async #firstUse(hash: string): Promise<void> {
    const { store, clock } = this.#world;
    await store.turn({
      attempt: async (read) => {
        const row = await read(keyByHash, { hash });
        const usable = row && row.used_at === null && row.revoked_at === null;
        return { reply: null, effects: usable ? [patch('api_keys', row, { used_at: clock.now() })] : [] };
      },
    });
  }

  async #byKey(key: string): Promise<Entry | null> {
    const hash = sha256Hex(key);
    const cached = this.#cached(hash);
    if (cached) return cached;
    if (!isWellFormedKey(key, this.#world.settings.key_prefix)) return null;
    const { store, clock } = this.#world;
    let epoch = this.#epoch;
    let row = await store.read(keyByHash, { hash });
    if (row && row.used_at === null && row.revoked_at === null && row.expires_at > clock.now()) {
      await this.#firstUse(hash);
      epoch = this.#epoch;
      row = await store.read(keyByHash, { hash });
    }
    if (!row || row.revoked_at !== null || row.expires_at <= clock.now()) return null;
    const account = await store.read(accountById, { id: row.account_id });
    if (!account) return null;
    const principal: Principal = {
      kind: 'key',
      account_id: account.id,
      plan: account.plan,
      scopes: scopesOnPlan(row.scopes, account.plan),
      provisional: row.kind === 'provisional',
      admin: false,
      key_agent_id: row.agent_id,
      credential_id: row.id,
      guard: { table: 'api_keys', id: row.id, version: row.version },
    };
    return this.#keep(hash, principal, row.expires_at, epoch);
  }

  async #byToken(token: string): Promise<Entry | null> {
    const { store, clock, sessions } = this.#world;
    const claims = await sessions.verify(token, clock.now());
    if (!claims) return null;
    // The session's id, never the token's text: base64 has more than one spelling of the same token.
    const name = `session:${claims.sid}`;
    const cached = this.#cached(name);
    if (cached) return cached;
    const epoch = this.#epoch;
    const row = await store.read(sessionById, { id: claims.sid });
    if (!row || row.ended_at !== null || row.expires_at <= clock.now()) return null;
    const account = await store.read(accountById, { id: row.account_id });
    if (!account) return null;
    const principal: Principal = {
      ...NOBODY,
      kind: 'session',
      account_id: account.id,
      plan: account.plan,
      admin: account.email !== null && this.#world.settings.admin_emails.includes(account.email),
      credential_id: row.id,
      guard: { table: 'sessions', id: row.id, version: row.version },
    };
    return this.#keep(name, principal, row.expires_at, epoch);
  }

  async #agents(entry: Entry): Promise<readonly Row<'agents'>[]> {
    const account_id = entry.principal.account_id ?? '';
    if (entry.agents) return entry.agents;
    const epoch = this.#epoch;
    const agents = await this.#world.store.read(agentsOfAccount, { account_id });
    if (epoch === this.#epoch) entry.agents = agents;
    return agents;
  }

  #invalidate(notice: CommitNotice): void {
    for (const changed of notice.changed) {
      if (CALLER_TABLES.has(changed.table)) this.#epoch += 1;
      if (changed.table === 'accounts') this.forgetAll();
      const row = nameOf(changed);
      const name = this.#names.get(row);
      if (name !== undefined) {
        this.#names.delete(row);
        this.#cache.delete(name);
      }
      if (changed.table === 'agents') for (const entry of this.#cache.values()) entry.agents = null;
    }
  }
}
