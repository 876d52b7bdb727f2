// Fills a database before a server opens it: accounts, agents with keys, conversations and events, written through the
// store in large turns, as their own operations would leave them.
import { randomBytes } from 'node:crypto';
import { type Effect, insert } from '../../db/effects.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';
import { KEY_LIFE_MS, keyPrefixShown, mintKey } from '../../src/domain/identity/key.ts';
import { SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { BUILT_IN_MODEL } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import { sha256Hex } from '../../src/outbound/hash.ts';

/** Effects of one turn: enough to make the commit cheap, little enough to hold in memory. */
const TURN_EFFECTS = 5_000;

export interface Member {
  readonly id: string;
  readonly account_id: string;
  readonly handle: string;
  readonly key: string;
}

export const newId = (): string => Bun.randomUUIDv7();

/** Opens a database for filling; nothing is sealed, since nothing is sent. */
export function openForFilling(data_dir: string): Store {
  const sealer = { seal: (plain: string) => plain };
  return openSqliteStore({
    data_dir,
    sealer,
    dimensions: EMBEDDING_DIMENSIONS,
    model: BUILT_IN_MODEL,
    now_ms: Date.now(),
  });
}

/** Commits effects in turns of a bounded size. */
export async function write(store: Store, effects: Iterable<Effect>): Promise<void> {
  let held: Effect[] = [];
  const flush = async (): Promise<void> => {
    const turn = held;
    held = [];
    await store.turn({ attempt: async () => ({ reply: null, effects: turn }) });
  };
  for (const effect of effects) {
    held.push(effect);
    if (held.length === TURN_EFFECTS) await flush();
  }
  await flush();
}

/** So many agents to be, each with an account and a key of its own. */
export function members(count: number): Member[] {
  return Array.from({ length: count }, (_, i) => ({
    id: newId(),
    account_id: newId(),
    handle: `agent_${String(i).padStart(6, '0')}`,
    key: mintKey('mesh', randomBytes(32)),
  }));
}

/** What makes a member exist: the account, the verified and listed agent, its handle and its key. */
export function* joining(all: Iterable<Member>, now_ms: number): Generator<Effect> {
  const times = { created_at: now_ms, updated_at: now_ms };
  const agent = {
    kind: 'company',
    headline: 'Keeps the books of small software companies',
    description: 'Monthly closing, payroll and taxes for teams of up to fifty people, by people who answer.',
    geo: { countries: ['DE', 'FR'], remote: true },
    industry: ['accounting'],
    visibility: 'listed',
    offers: ['bookkeeping', 'payroll'],
    seeks: ['software'],
    bounds: {},
    availability: null,
    social_links: {},
    wake: {},
    credentials: [],
    verified_at: now_ms,
    ...times,
  } as const;
  for (const { id, account_id, handle, key } of all) {
    yield insert('accounts', { id: account_id, email: `${handle}@example.org`, plan: 'pro', created_at: now_ms });
    yield insert('agents', { ...agent, id, account_id, handle, display_name: handle });
    yield insert('handles', { id: handle, kind: 'current', agent_id: id, email: null, expires_at: null });
    yield insert('api_keys', {
      id: newId(),
      account_id,
      agent_id: null,
      hash: sha256Hex(key),
      prefix: keyPrefixShown(key),
      name: 'bench',
      kind: 'signup',
      scopes: SIGNUP_SCOPES,
      created_at: now_ms,
      expires_at: now_ms + KEY_LIFE_MS,
      used_at: now_ms,
    });
  }
}

/** So many live listings of a member, as their creation leaves them, but for vectors and labels; `first_id` names the first. */
export function* listing(member: Member, count: number, now_ms: number, first_id = newId()): Generator<Effect> {
  for (let n = 0; n < count; n++) {
    yield insert('listings', {
      id: n === 0 ? first_id : newId(),
      agent_id: member.id,
      account_id: member.account_id,
      slug: `bookkeeping-${n}`,
      card_type: 'selling',
      direction: 'offer',
      headline: `Bookkeeping for small software companies, package ${n}`,
      description: 'Monthly closing, payroll and taxes for teams of up to fifty people, by people who answer.',
      geo: 'Germany, Remote',
      labels: ['bookkeeping', 'payroll', 'saas'],
      subcategory: null,
      price_cents: 40_000 + n,
      budget_cents: null,
      per_week_cents: null,
      per_month_cents: null,
      conditions: { tiers: [], dealbreakers: ['no cash'], preferences: [] },
      fields: { capacity: 12 },
      status: 'live',
      origin: 'direct',
      created_at: now_ms,
      updated_at: now_ms,
    });
  }
}

/** An open thread between two members, under the id given. */
export function talking(id: string, opener: Member, other: Member, now_ms: number): Effect {
  return insert('conversations', {
    id,
    opener_id: opener.id,
    other_id: other.id,
    match_id: null,
    phase: 'qualification',
    status: 'open',
    subject: 'Books of a small company',
    created_at: now_ms,
    updated_at: now_ms,
  });
}

/** Events in a member's inbox, such as a conversation leaves. */
export function* told(to: Member, count: number, now_ms: number): Generator<Effect> {
  for (let i = 0; i < count; i++) {
    const data = {
      conversation_id: newId(),
      message_id: newId(),
      sender: 'agent_000001',
      preview: 'Could you look at the numbers of last month before Friday? The invoices are in the folder.',
      counterparty_handle: 'agent_000001',
    };
    const event = {
      do: 'event',
      event: 'conversation.updated',
      id: newId(),
      to: to.id,
      handle: to.handle,
      data,
    } as const;
    yield { ...event, subject_id: null, awaiting: false, respond_by: null, created_at: now_ms };
  }
}
