// What carries events out of the house and lets strangers in: webhooks with their logs, tokens of mail replies, a person's notification settings, blocks, reports, reviews and the feed of listings.
import type { Builders } from './builders.ts';

export interface QuietHoursColumn {
  /** `HH:MM` in the time zone `tz`. */
  readonly from: string;
  readonly to: string;
  readonly tz: string;
}

// Without a return type: drizzle infers the row types from this literal.
export function reachTables(b: Builders) {
  /** An agent's own webhook comes from intake and gets every event; developer ones get what they subscribed to (Q142). */
  const webhooks = b.table(
    'webhooks',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      kind: b.text('kind').$type<'agent' | 'developer'>().notNull(),
      url: b.text('url').notNull(),
      /** Event kinds, or `*` alone. */
      events: b.json<readonly string[]>('events').notNull(),
      active: b.int('active').notNull().default(1),
      /** 1 where a failed delivery is tried again (rules.md 7). */
      retry: b.int('retry').notNull().default(0),
      /** Sealed, since a signature needs the secret itself. */
      secret: b.text('secret').notNull(),
      /** Sealed; signs beside the new one until then. */
      old_secret: b.text('old_secret'),
      old_secret_until: b.int('old_secret_until'),
      failure_count: b.int('failure_count').notNull().default(0),
      last_delivery_at: b.int('last_delivery_at'),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('webhooks_agent').on(t.agent_id)],
  );
  /** One attempt each, newest kept. The body that was sent is made again from the event and `created_at`. */
  const webhook_logs = b.table(
    'webhook_logs',
    {
      id: b.id(),
      webhook_id: b.text('webhook_id').notNull(),
      event_id: b.text('event_id').notNull(),
      event: b.text('event').notNull(),
      payload: b.json<Record<string, unknown>>('payload').notNull(),
      http_status: b.int('http_status'),
      response_ms: b.int('response_ms'),
      error: b.text('error'),
      created_at: b.int('created_at').notNull(),
      expires_at: b.int('expires_at').notNull(),
    },
    (t) => [b.index('webhook_logs_webhook').on(t.webhook_id, t.id), b.index('webhook_logs_expiry').on(t.expires_at)],
  );
  /** The id is the agent's: up to which seq its person was told by letter, and when the last one left (0: its pause is over,
   * since it was answered). */
  const mail_marks = b.table('mail_marks', {
    id: b.id(),
    seen: b.int('seen').notNull(),
    at: b.int('at').notNull(),
    version: b.version(),
  });
  /** The id is the hash of the token in a Reply-To, or of the Message-ID of a mail that went out. */
  const reply_tokens = b.table(
    'reply_tokens',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      /** Empty where the letter tells of a match that nobody has answered. */
      conversation_id: b.text('conversation_id').notNull(),
      /** The match that an answer says yes to. */
      match_id: b.text('match_id'),
      created_at: b.int('created_at').notNull(),
      expires_at: b.int('expires_at').notNull(),
    },
    (t) => [b.index('reply_tokens_expiry').on(t.expires_at)],
  );
  /** The id is the hash of sender, Message-ID and recipient, so a mail that comes twice is taken once. */
  const inbound_mails = b.table(
    'inbound_mails',
    {
      id: b.id(),
      agent_id: b.text('agent_id'),
      conversation_id: b.text('conversation_id'),
      message_id: b.text('message_id'),
      outcome: b.text('outcome').notNull(),
      /** What SPF, DKIM and DMARC said. */
      authentication: b.json<Record<string, string>>('authentication').notNull(),
      created_at: b.int('created_at').notNull(),
      expires_at: b.int('expires_at').notNull(),
    },
    (t) => [b.index('inbound_mails_expiry').on(t.expires_at)],
  );
  /** The id is the account's. */
  const notification_settings = b.table('notification_settings', {
    id: b.id(),
    email: b.text('email').$type<'all' | 'important' | 'none'>().notNull(),
    digest: b.text('digest').$type<'off' | 'daily'>().notNull(),
    /** What is pushed to the browsers that asked for it. */
    push: b.text('push').$type<'all' | 'important' | 'none'>().notNull().default('important'),
    quiet_hours: b.json<QuietHoursColumn | null>('quiet_hours'),
    mute: b.json<readonly string[]>('mute').notNull(),
    /** The last digest told of what came before this time. */
    digested_until: b.int('digested_until').notNull().default(0),
    version: b.version(),
  });
  /** Browsers that asked to be pushed to. */
  const push_subscriptions = b.table(
    'push_subscriptions',
    {
      id: b.id(),
      account_id: b.text('account_id').notNull(),
      /** Of the address that is pushed to, which lets whoever knows it push: it rests sealed. */
      hash: b.text('hash').notNull(),
      /** The address with the browser's keys, sealed. */
      secret: b.text('secret').notNull(),
      /** What its person knows the browser by. */
      name: b.text('name').notNull(),
      created_at: b.int('created_at').notNull(),
      /** When a push was last taken. */
      taken_at: b.int('taken_at'),
      version: b.version(),
    },
    (t) => [
      b.uniqueIndex('push_subscriptions_hash').on(t.hash),
      b.index('push_subscriptions_account').on(t.account_id),
    ],
  );
  /** The id is `agent:blocked`. */
  const blocks = b.table(
    'blocks',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      blocked_id: b.text('blocked_id').notNull(),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [b.index('blocks_agent').on(t.agent_id, t.blocked_id), b.index('blocks_blocked').on(t.blocked_id)],
  );
  /** What administrators decide: listings that the niche classifier was unsure of, and reports about agents. */
  const reviews = b.table(
    'reviews',
    {
      id: b.id(),
      kind: b.text('kind').$type<'listing' | 'report' | 'payment'>().notNull(),
      agent_id: b.text('agent_id').notNull(),
      listing_id: b.text('listing_id'),
      reporter_id: b.text('reporter_id'),
      reason: b.text('reason').notNull(),
      text: b.text('text').notNull().default(''),
      status: b.text('status').$type<'open' | 'approved' | 'rejected'>().notNull(),
      decided_by: b.text('decided_by'),
      decided_at: b.int('decided_at'),
      created_at: b.int('created_at').notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('reviews_status').on(t.status, t.id),
      b.index('reviews_listing').on(t.listing_id, t.id),
      b.index('reviews_reporter').on(t.reporter_id, t.id),
    ],
  );
  /** What feed.json tells: listings that went live, changed or went away, as they then were. */
  const feed_entries = b.table(
    'feed_entries',
    {
      id: b.id(),
      agent_id: b.text('agent_id').notNull(),
      change: b.text('change').$type<'published' | 'updated' | 'withdrawn'>().notNull(),
      listing_id: b.text('listing_id').notNull(),
      slug: b.text('slug').notNull(),
      headline: b.text('headline').notNull(),
      labels: b.json<readonly string[]>('labels').notNull(),
      created_at: b.int('created_at').notNull(),
      expires_at: b.int('expires_at').notNull(),
    },
    (t) => [b.index('feed_entries_agent').on(t.agent_id, t.id), b.index('feed_entries_expiry').on(t.expires_at)],
  );
  return {
    webhooks,
    webhook_logs,
    mail_marks,
    reply_tokens,
    inbound_mails,
    notification_settings,
    push_subscriptions,
    blocks,
    reviews,
    feed_entries,
  };
}
