// Agents, the handles that name them (current, alias, reservation: one table, so that one key keeps them apart), the
// claims that verify them, and what was last seen of them.
import type { PolicyOperation } from '../../src/domain/agent/policy.ts';
import type { Builders } from './builders.ts';

/** What a person lets a program do by itself, of one operation and one counterparty. */
export interface PolicyColumn {
  readonly operation: PolicyOperation;
  /** Whom it is of, and what they were called when it was set; null of everybody. */
  readonly agent_id: string | null;
  readonly handle: string | null;
  readonly outcome: 'allow' | 'ask' | 'refuse';
  /** Null is as long as anything waits, and that nothing comes of no answer. */
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

/** What registered an agent's key pair; its id is the pair's own, as a list names it. */
export interface KeyPairColumn {
  readonly id: string;
  readonly by: 'api_keys' | 'oauth_grants' | 'sessions';
  readonly by_id: string;
  readonly created_at: number;
}

/** What the card at an agent's own A2A endpoint said when it was last looked at. */
export interface EndpointColumn {
  /** Where it is called: as the card says, or the registered address where there is no card. */
  readonly url: string;
  /** Null where there is no card that speaks for the address. */
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
      account_id: b.text('account_id').notNull(),
      handle: b.text('handle').notNull(),
      display_name: b.text('display_name').notNull(),
      kind: b.text('kind').$type<'person' | 'company' | 'platform'>().notNull(),
      headline: b.text('headline').notNull().default(''),
      description: b.text('description').notNull().default(''),
      offers: b.json<readonly string[]>('offers').notNull(),
      seeks: b.json<readonly string[]>('seeks').notNull(),
      geo: b.json<string | { countries: readonly string[]; remote: boolean } | null>('geo'),
      industry: b.json<readonly string[]>('industry').notNull(),
      visibility: b.text('visibility').$type<'listed' | 'stealth' | 'hidden'>().notNull(),
      bounds: b.json<BoundsColumn>('bounds').notNull(),
      availability: b.json<unknown>('availability'),
      social_links: b.json<Record<string, string>>('social_links').notNull(),
      wake: b.json<WakeColumn>('wake').notNull(),
      public_key: b.text('public_key'),
      fingerprint: b.text('fingerprint'),
      key_pair: b.json<KeyPairColumn | null>('key_pair'),
      provisional: b.int('provisional').notNull().default(0),
      /** When the first claim was proven; the verification gate asks only this. */
      verified_at: b.int('verified_at'),
      intake_at: b.int('intake_at'),
      /** 1 while it answers in its conversations by itself. */
      autopilot: b.int('autopilot').notNull().default(0),
      deactivated_at: b.int('deactivated_at'),
      trust_score: b.int('trust_score').notNull().default(0),
      credentials: b.json<readonly string[]>('credentials').notNull(),
      /** The kinds of proof that stopped to hold, with the rest of its trust; null for none. */
      failing_credentials: b.json<readonly string[]>('failing_credentials'),
      /** What its record says of its deals, as of when its trust was last taken: how many it completed, and of the escrows that ended
       * the share in which a dispute was settled, in ten-thousandths; null where none ended. */
      deals_completed: b.int('deals_completed').notNull().default(0),
      dispute_rate: b.int('dispute_rate'),
      /** The agent's own A2A endpoint, and since when it takes nothing. */
      a2a_url: b.text('a2a_url'),
      a2a_failing_since: b.int('a2a_failing_since'),
      /** Null until its card was looked for. */
      a2a_card: b.json<EndpointColumn | null>('a2a_card'),
      created_at: b.int('created_at').notNull(),
      updated_at: b.int('updated_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('agents_account').on(t.account_id), b.index('agents_handle').on(t.handle)],
  );
  /** The id is the handle. */
  const handles = b.table(
    'handles',
    {
      id: b.id(),
      /** `gone` is the name of an agent whose account was deleted: nobody's for good, so that nobody can pass for it. */
      kind: b.text('kind').$type<'current' | 'alias' | 'reservation' | 'gone'>().notNull(),
      agent_id: b.text('agent_id'),
      email: b.text('email'),
      expires_at: b.int('expires_at'),
      version: b.version(),
    },
    (t) => [b.index('handles_agent').on(t.agent_id)],
  );
  /** A proof that a human made. Unique by provider and outside id, so one account backs one agent (Q11). */
  const claims = b.table(
    'claims',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      provider: b.text('provider').notNull(),
      external_id: b.text('external_id').notNull(),
      verified_at: b.int('verified_at').notNull(),
      checked_at: b.int('checked_at').notNull(),
      failing_since: b.int('failing_since'),
      /** Of a domain: the name that somebody registered, which backs one agent alone; null of further names under it. */
      holds: b.text('holds'),
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
    { id: b.id(), account_id: b.text('account_id').notNull(), mark: b.text('mark').notNull(), version: b.version() },
    (t) => [b.index('account_marks_account').on(t.account_id), b.index('account_marks_mark').on(t.mark)],
  );
  /** Lossy facts, written every half minute at most: last seen and the last twenty response times. */
  const presence = b.table('presence', {
    id: b.id(),
    last_seen_at: b.int('last_seen_at').notNull(),
    samples: b.json<readonly number[]>('samples').notNull(),
    /** Until when each node that holds a stream of the agent promises to hold it, in epoch milliseconds; renewed while it
     * does. Null where nodes do not share the database, or none ever held one. */
    streams: b.json<Readonly<Record<string, number>> | null>('streams'),
  });
  return { agents, handles, claims, account_marks, presence };
}
