// Agents, the handles that name them (current, alias, reservation: one table, so that one key keeps them apart), the
// claims that verify them, and what was last seen of them.
import { sql } from 'drizzle-orm';
import { NO_BOUNDS } from '../../src/domain/agent/bounds.ts';
import type { PolicyOperation } from '../../src/domain/agent/policy.ts';
import { goneHandle } from '../../src/domain/identity/handle.ts';
import type { Builders } from './builders.ts';
import { blank, blankBy, gone, keep, stays } from './personal.ts';

/** A person's policy for a program's use of one operation with one counterparty. */
export interface PolicyColumn {
  readonly operation: PolicyOperation;
  /** The counterparty, with its handle when the policy was set; null for all. */
  readonly agent_id: string | null;
  readonly handle: string | null;
  readonly outcome: 'allow' | 'ask' | 'refuse';
  /** Null is the default wait, after which nothing happens. */
  readonly ask_minutes: number | null;
  readonly on_timeout: 'refuse' | 'allow' | null;
}

export interface BoundsColumn {
  readonly max_pay_cents?: number | null;
  readonly max_pay_per_day_cents?: number | null;
  readonly min_charge_cents?: number | null;
  readonly auto_approve_below_cents?: number | null;
  /** Those that a person set: no program widens them, and below the last a program without the right to spend pays. */
  readonly set_by_person?: readonly (
    | 'max_pay_cents'
    | 'max_pay_per_day_cents'
    | 'min_charge_cents'
    | 'auto_approve_below_cents'
    | 'policies'
  )[];
  readonly policies?: readonly PolicyColumn[];
}

export interface WakeColumn {
  readonly min_match_score?: number;
  readonly min_demand_budget_cents?: number;
  readonly mute?: readonly string[];
}

/** The registration of an agent's key pair; its id is the pair's own in lists. */
export interface KeyPairColumn {
  readonly id: string;
  readonly by: 'api_keys' | 'oauth_grants' | 'sessions';
  readonly by_id: string;
  /** The scopes chosen for its tokens; without them, all of the credential that registered it. */
  readonly scopes?: readonly string[];
  readonly created_at: number;
}

/** The last read card of an agent's own A2A endpoint. */
export interface EndpointColumn {
  /** The address of calls: the card's, or the registered one without a card. */
  readonly url: string;
  /** Null without a card that describes the address. */
  readonly dialect: '0.2' | '0.3' | '1.0' | null;
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly tenant: string | null;
  readonly signature: 'none' | 'valid' | 'invalid';
  readonly checked_at: number;
}

// Without a return type: drizzle infers the row types from this literal.
export function agentTables(b: Builders) {
  const agents = b.table(
    'agents',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      handle: b
        .text(
          'handle',
          blankBy((_handle, { id }) => goneHandle(id)),
        )
        .notNull(),
      display_name: b.text('display_name', blank('Deleted agent')).notNull(),
      kind: b.code<'person' | 'company' | 'platform'>('kind', keep).notNull(),
      headline: b.text('headline', blank('')).notNull().default(''),
      description: b.text('description', blank('')).notNull().default(''),
      offers: b.json<readonly string[]>('offers', blank([])).notNull(),
      seeks: b.json<readonly string[]>('seeks', blank([])).notNull(),
      geo: b.json<string | { countries: readonly string[]; remote: boolean } | null>('geo', blank(null)),
      industry: b.json<readonly string[]>('industry', blank([])).notNull(),
      visibility: b.code<'listed' | 'stealth' | 'hidden'>('visibility', blank('hidden')).notNull(),
      bounds: b.json<BoundsColumn>('bounds', blank(NO_BOUNDS)).notNull(),
      availability: b.json<unknown>('availability', blank(null)),
      social_links: b.json<Record<string, string>>('social_links', blank({})).notNull(),
      wake: b.json<WakeColumn>('wake', blank({})).notNull(),
      public_key: b.text('public_key', blank(null)),
      fingerprint: b.code('fingerprint', blank(null)),
      key_pair: b.json<KeyPairColumn | null>('key_pair', blank(null)),
      provisional: b.int('provisional', keep).notNull().default(0),
      /** When the first claim was proven; the verification gate asks only this. */
      verified_at: b.int('verified_at', blank(null)),
      intake_at: b.int('intake_at', keep),
      /** 1 while it is on autopilot. */
      autopilot: b.int('autopilot', blank(0)).notNull().default(0),
      deactivated_at: b.int('deactivated_at', keep),
      trust_score: b.int('trust_score', blank(0)).notNull().default(0),
      credentials: b.json<readonly string[]>('credentials', blank([])).notNull(),
      /** The kinds of proof that stopped to hold, with the rest of its trust; null for none. */
      failing_credentials: b.json<readonly string[]>('failing_credentials', blank(null)),
      /** Figures of its record when its trust was last computed: its completed deals, and the share of ended escrows with a settled
       * dispute, in ten-thousandths; null without ended ones. */
      deals_completed: b.int('deals_completed', keep).notNull().default(0),
      dispute_rate: b.int('dispute_rate', keep),
      /** The agent's own A2A endpoint, and since when it takes nothing. */
      a2a_url: b.text('a2a_url', blank(null)),
      a2a_failing_since: b.int('a2a_failing_since', blank(null)),
      /** Null before the first read of its card. */
      a2a_card: b.json<EndpointColumn | null>('a2a_card', blank(null)),
      created_at: b.int('created_at', keep).notNull(),
      updated_at: b.int('updated_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('agents_account').on(t.account_id),
      b.index('agents_handle').on(t.handle),
      b.index('agents_live').on(t.id).where(sql`deactivated_at IS NULL`),
    ],
  );
  /** The id is the handle. */
  const handles = b.table(
    'handles',
    {
      id: b.id(),
      /** `gone` is the handle of an agent whose account was deleted: blocked for good, so that no other agent can impersonate it. */
      kind: b.code<'current' | 'alias' | 'reservation' | 'gone'>('kind', blank('gone')).notNull(),
      agent_id: b.code('agent_id', blank(null)),
      email: b.text('email', blank(null)),
      expires_at: b.int('expires_at', blank(null)),
      version: b.version(),
    },
    (t) => [b.index('handles_agent').on(t.agent_id)],
  );
  /** A proof that a human made. Unique by provider and outside id, so one account backs one agent (Q11). */
  const claims = b.table(
    'claims',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      provider: b.code('provider', keep).notNull(),
      external_id: b.text('external_id', gone).notNull(),
      verified_at: b.int('verified_at', keep).notNull(),
      checked_at: b.int('checked_at', keep).notNull(),
      failing_since: b.int('failing_since', keep),
      /** Of a domain: the registered name, which backs one agent only; null for further names under it. */
      holds: b.text('holds', gone),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('claims_holds').on(t.holds),
      b.uniqueIndex('claims_external').on(t.provider, t.external_id),
      b.index('claims_agent').on(t.agent_id),
    ],
  );
  /** By what accounts are known to belong together: a hash of each thing that proved one of their agents, or that they are paid to. The id
   * is the account's with the mark; two accounts with one mark do not raise each other's trust. */
  const account_marks = b.table(
    'account_marks',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      mark: b.code('mark', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('account_marks_account').on(t.account_id), b.index('account_marks_mark').on(t.mark)],
  );
  /** Lossy facts, written every half minute at most: last seen and the last twenty response times. */
  const presence = b.table('presence', {
    id: b.id(),
    last_seen_at: b.int('last_seen_at', keep).notNull(),
    samples: b.json<readonly number[]>('samples', stays('figures')).notNull(),
    /** Until when each node that holds a stream of the agent promises to hold it, in epoch milliseconds; renewed while it
     * does. Null where nodes do not share the database, or none ever held one. */
    streams: b.json<Readonly<Record<string, number>> | null>('streams', stays('names of nodes')),
  });
  return { agents, handles, claims, account_marks, presence };
}
