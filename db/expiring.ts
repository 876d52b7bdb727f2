// The tables with an `expires_at` whose rows are worth nothing after it; both adapters delete them in slices.
export const EXPIRING = [
  'idempotency',
  'counters',
  'codes',
  'challenges',
  'invitations',
  'sessions',
  'oauth_clients',
  'oauth_grants',
  'webhook_logs',
  'reply_tokens',
  'inbound_mails',
  'feed_entries',
  'push_configs',
  'forwards',
  'processor_events',
  'router_calls',
  'router_attempts',
  'router_results',
  'model_calls',
  'actions',
] as const;

/** Tables whose rows go with the row of another one that expires; only when the last of them is gone does that go itself, so
 * that none is left behind. Until then whoever reads it sees by its `expires_at` that it is over. */
export const EXPIRING_WITH = [{ table: 'task_updates', of: 'task_id', parent: 'tasks' }] as const;
