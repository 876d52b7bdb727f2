// The tables with an `expires_at` whose rows are worth nothing after it; both adapters delete them in slices.
export const EXPIRING = [
  'idempotency',
  'counters',
  'codes',
  'challenges',
  'sessions',
  'webhook_logs',
  'reply_tokens',
  'inbound_mails',
  'feed_entries',
] as const;
