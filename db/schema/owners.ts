// Whose the rows of each table are, what becomes of them when their owner leaves, and under which section of its export they are taken
// along. A table that is missing here does not compile.
import type { Row, TableName } from './tables.ts';

/** The columns that name the owner; of a row with two sides, both. */
type Columns<T extends TableName> = readonly (keyof Row<T> & string)[];

interface Owned<T extends TableName = TableName> {
  readonly of: 'agents' | 'accounts' | TableName;
  /** An owner's id, or that of the row of `of` that it goes with. */
  readonly by: Columns<T>;
  /** `blanked` and `kept` rows stay; `blanked` ones lose what their columns declare. `expire` is removed by time alone. */
  readonly rows: 'removed' | 'blanked' | 'expire' | 'kept';
  /** The erasure stage of a table with dependent rows or without an index by owner: at once when the owner leaves, with an agent's or
   * account's other rows, or with another table. Without a stage `by` suffices. */
  readonly stage?: 'leave' | 'agent' | 'account' | 'with';
  /** The row of `of` may be deleted before these, which expire later. */
  readonly outlives?: true;
  /** The section of the export. */
  readonly section?: string;
}

/** Tables without an owner: the service's own rows, and counts over all accounts. */
type Nobody = 'nobody';

type Facts = { readonly [T in TableName]: Owned<T> | Nobody };

/** Of an agent, or of its account. */
const agent = { of: 'agents' } as const;
const account = { of: 'accounts' } as const;
const removed = { rows: 'removed' } as const;
const blanked = { rows: 'blanked' } as const;
const expire = { rows: 'expire' } as const;
const kept = { rows: 'kept' } as const;

export const OWNERS = {
  accounts: { ...account, by: ['id'], ...blanked, stage: 'leave' },
  // Administrators' acts are kept, by ids.
  admin_acts: { ...account, by: ['by_id'], ...kept },
  api_keys: { ...account, by: ['account_id'], ...removed, section: 'keys' },
  key_uses: { of: 'api_keys', by: ['id'], ...removed, stage: 'with' },
  codes: 'nobody',
  sessions: { ...account, by: ['account_id'], ...removed, section: 'sessions' },
  outside_identities: { ...account, by: ['account_id'], ...removed },
  passkeys: { ...account, by: ['account_id'], ...removed, stage: 'account', section: 'passkeys' },
  invitations: { ...account, by: ['account_id'], ...removed, section: 'invitations' },
  challenges: { ...agent, by: ['agent_id'], ...expire },
  installs: { ...agent, by: ['agent_id'], ...kept },
  oauth_clients: 'nobody',
  oauth_grants: { ...account, by: ['account_id'], ...removed },

  agents: { ...account, by: ['account_id'], ...blanked, stage: 'leave', section: 'agents' },
  handles: { ...agent, by: ['agent_id'], ...blanked, stage: 'agent' },
  claims: { ...agent, by: ['agent_id'], ...removed, section: 'claims' },
  account_marks: { ...account, by: ['account_id'], ...removed },
  presence: { ...agent, by: ['id'], ...kept },
  listings: { ...agent, by: ['agent_id'], ...removed, stage: 'agent', section: 'listings' },
  labels: 'nobody',
  listing_vectors: { of: 'listings', by: ['id'], ...removed, stage: 'with' },
  template_words: 'nobody',
  tastes: { ...agent, by: ['id'], ...removed },
  matches: { ...agent, by: ['offer_agent_id', 'seek_agent_id'], ...blanked, section: 'matches' },

  conversations: { ...agent, by: ['opener_id', 'other_id'], ...kept },
  messages: { ...agent, by: ['sender_id'], ...blanked, stage: 'agent', section: 'messages' },
  inboxes: { ...agent, by: ['id'], ...kept },
  inbox_reads: { ...agent, by: ['id'], ...removed },
  events: { ...agent, by: ['agent_id'], ...blanked, stage: 'agent', section: 'events' },
  // Those that are open end when a side leaves, and expire with the rest.
  tasks: { ...agent, by: ['sender_id', 'target_id'], ...expire, stage: 'agent' },
  task_updates: { of: 'tasks', by: ['task_id'], ...expire },
  push_configs: { ...agent, by: ['agent_id'], ...removed, stage: 'agent' },
  forwards: { ...agent, by: ['agent_id'], ...expire },

  webhooks: { ...agent, by: ['agent_id'], ...removed, stage: 'agent', section: 'webhooks' },
  webhook_logs: { of: 'webhooks', by: ['webhook_id'], ...expire, stage: 'with', outlives: true },
  mail_marks: { ...agent, by: ['id'], ...kept },
  reply_tokens: { ...agent, by: ['agent_id'], ...expire },
  inbound_mails: { ...agent, by: ['agent_id'], ...expire },
  notification_settings: { ...account, by: ['id'], ...removed, section: 'settings' },
  push_subscriptions: { ...account, by: ['account_id'], ...removed, stage: 'account', section: 'browsers' },
  blocks: { ...agent, by: ['agent_id'], ...kept },
  reviews: { ...agent, by: ['reporter_id'], ...blanked },
  feed_entries: { ...agent, by: ['agent_id'], ...expire, stage: 'agent' },

  counters: 'nobody',
  idempotency: 'nobody',
  reminders: 'nobody',
  outbound: 'nobody',
  service_time: 'nobody',
  service_notes: 'nobody',
  // Money rows hold only ids.
  ledger_accounts: 'nobody',
  journals: 'nobody',
  transfers: 'nobody',
  earned_days: { ...agent, by: ['agent_id'], ...kept },
  wallets: { ...agent, by: ['id'], ...removed, section: 'wallets' },
  holds: { ...agent, by: ['agent_id'], ...kept },
  receivables: { ...account, by: ['account_id'], ...kept },
  sends: { ...agent, by: ['from_id', 'to_id'], ...blanked, stage: 'agent', section: 'receipts' },
  ledger_days: 'nobody',
  ledger_sums: 'nobody',
  fundings: { ...agent, by: ['agent_id'], ...blanked, section: 'fundings' },
  payouts: { ...agent, by: ['agent_id'], ...blanked, section: 'payouts' },
  payees: { ...account, by: ['id'], ...removed, section: 'payout_accounts' },
  plan_checkouts: { ...account, by: ['account_id'], ...blanked },
  plan_terms: { ...account, by: ['id'], ...kept, section: 'plans' },
  processor_events: 'nobody',
  processor_differences: 'nobody',
  sandbox_objects: 'nobody',

  escrows: { ...agent, by: ['buyer_id', 'seller_id'], ...blanked, section: 'escrows' },
  milestones: { of: 'escrows', by: ['escrow_id'], ...kept },
  earlier_deliverables: { of: 'escrows', by: ['escrow_id'], ...kept },
  disputes: { ...agent, by: ['opened_by', 'respondent'], ...blanked, stage: 'agent' },
  dispute_evidence: { ...agent, by: ['by'], ...blanked, stage: 'with' },
  deals: { ...agent, by: ['buyer_id', 'seller_id'], ...kept },
  deal_reviews: { ...agent, by: ['by_id'], ...kept },
  subscriptions: { ...agent, by: ['buyer_id', 'seller_id'], ...kept, section: 'subscriptions' },
  subscription_charges: { of: 'subscriptions', by: ['subscription_id'], ...kept },
  track_records: { ...agent, by: ['id'], ...kept },
  partners: { ...agent, by: ['agent_id'], ...removed },

  demand_requests: { ...agent, by: ['agent_id'], ...removed, stage: 'agent', section: 'requests' },
  demand_quotes: { ...agent, by: ['agent_id'], ...removed, stage: 'agent', section: 'quotes' },
  providers: { ...agent, by: ['agent_id'], ...removed, section: 'providers' },
  // Evidence of both sides' money; free calls expire.
  router_calls: { ...agent, by: ['agent_id'], ...kept, section: 'calls' },
  router_attempts: { ...agent, by: ['provider_agent_id'], ...blanked },
  router_results: { of: 'router_calls', by: ['id'], ...expire },

  proposals: { ...agent, by: ['buyer_id', 'seller_id'], ...kept, section: 'proposals' },
  approvals: { ...agent, by: ['agent_id'], ...kept, section: 'approvals' },
  actions: { ...agent, by: ['agent_id'], ...removed, section: 'actions' },
  turns: { ...agent, by: ['agent_id'], ...blanked, stage: 'agent', section: 'turns' },
  meetings: { ...agent, by: ['by_id'], ...blanked, stage: 'agent', section: 'meetings' },
  knowledge: { ...agent, by: ['agent_id'], ...removed, stage: 'agent', section: 'knowledge' },
  views: { ...agent, by: ['agent_id'], ...removed },
  model_calls: { ...agent, by: ['agent_id'], ...removed, section: 'model_calls' },
} as const satisfies Facts;

/** Of any table. */
export interface AnyOwned extends Omit<Owned, 'by'> {
  readonly by: readonly string[];
}

/** All tables with an owner. */
export const OWNED_TABLES: readonly (readonly [table: TableName, owned: AnyOwned])[] = (
  Object.entries(OWNERS) as [TableName, AnyOwned | Nobody][]
).flatMap(([table, owned]) => (owned === 'nobody' ? [] : [[table, owned] as const]));

/** The tables whose stage is so. */
export type StagedAs<S extends NonNullable<Owned['stage']>> = {
  [T in TableName]: (typeof OWNERS)[T] extends { readonly stage: S } ? T : never;
}[TableName];
