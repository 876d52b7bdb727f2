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

/** Tables whose rows are deleted with an expired row of another table; that row is deleted after the last of them, so that none
 * is left behind. Until then readers see by its `expires_at` that it has expired. */
export const EXPIRING_WITH = [{ table: 'task_updates', of: 'task_id', parent: 'tasks' }] as const;
