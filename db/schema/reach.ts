// Webhooks with their logs, tokens of mail replies, notification settings, blocks, reports, reviews and the feed of listings.
import { sql } from 'drizzle-orm';
import type { Builders } from './builders.ts';
import { blank, gone, keep, secret, stays } from './personal.ts';

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
      agent_id: b.code('agent_id', keep).notNull(),
      kind: b.code<'agent' | 'developer'>('kind', keep).notNull(),
      url: b.text('url', gone).notNull(),
      /** Event kinds, or `*` alone. */
      events: b.json<readonly string[]>('events', gone).notNull(),
      active: b.int('active', keep).notNull().default(1),
      /** 1 where a failed delivery is tried again (rules.md 7). */
      retry: b.int('retry', keep).notNull().default(0),
      /** Sealed, since a signature needs the secret itself. */
      secret: b.text('secret', secret(gone)).notNull(),
      /** Encrypted; signs together with the new one until then. */
      old_secret: b.text('old_secret', secret(gone)),
      old_secret_until: b.int('old_secret_until', keep),
      failure_count: b.int('failure_count', keep).notNull().default(0),
      last_delivery_at: b.int('last_delivery_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('webhooks_agent').on(t.agent_id), b.index('webhooks_off').on(t.id).where(sql`active = 0`)],
  );
  /** One attempt each, newest kept. The body that was sent is made again from the event and `created_at`. */
  const webhook_logs = b.table(
    'webhook_logs',
    {
      id: b.id(),
      webhook_id: b.code('webhook_id', keep).notNull(),
      event_id: b.code('event_id', keep).notNull(),
      event: b.code('event', keep).notNull(),
      payload: b.json<Record<string, unknown>>('payload', gone).notNull(),
      http_status: b.int('http_status', keep),
      response_ms: b.int('response_ms', keep),
      /** The receiver's words: the start of its answer. */
      response_body: b.text('response_body', gone),
      error: b.text('error', gone),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
    },
    (t) => [b.index('webhook_logs_webhook').on(t.webhook_id, t.id), b.index('webhook_logs_expiry').on(t.expires_at)],
  );
  /** The id is the agent's: the last seq that letters to its person have covered, and when the last one left (0: its pause is over,
   * because it was answered). */
  const mail_marks = b.table('mail_marks', {
    id: b.id(),
    seen: b.int('seen', keep).notNull(),
    at: b.int('at', keep).notNull(),
    version: b.version(),
  });
  /** The id is the hash of the token in a Reply-To, or of the Message-ID of a mail that went out. */
  const reply_tokens = b.table(
    'reply_tokens',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      /** Empty when the letter is about an unanswered match. */
      conversation_id: b.code('conversation_id', keep).notNull(),
      /** The match that a reply accepts. */
      match_id: b.code('match_id', keep),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
    },
    (t) => [b.index('reply_tokens_expiry').on(t.expires_at)],
  );
  /** The id is the hash of sender, Message-ID and recipient, so a mail that comes twice is taken once. */
  const inbound_mails = b.table(
    'inbound_mails',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep),
      conversation_id: b.code('conversation_id', keep),
      message_id: b.code('message_id', keep),
      outcome: b.code('outcome', keep).notNull(),
      /** The results of SPF, DKIM and DMARC. */
      authentication: b.json<Record<string, string>>('authentication', gone).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
    },
    (t) => [b.index('inbound_mails_expiry').on(t.expires_at)],
  );
  /** The id is the account's. */
  const notification_settings = b.table('notification_settings', {
    id: b.id(),
    email: b.code<'all' | 'important' | 'none'>('email', keep).notNull(),
    digest: b.code<'off' | 'daily'>('digest', keep).notNull(),
    /** The events that are pushed to subscribed browsers. */
    push: b.code<'all' | 'important' | 'none'>('push', keep).notNull().default('important'),
    quiet_hours: b.json<QuietHoursColumn | null>('quiet_hours', gone),
    mute: b.json<readonly string[]>('mute', gone).notNull(),
    /** The last digest covered events before this time. */
    digested_until: b.int('digested_until', keep).notNull().default(0),
    version: b.version(),
  });
  /** Browsers that asked to be pushed to. */
  const push_subscriptions = b.table(
    'push_subscriptions',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      /** Hash of the push address, which is stored encrypted, because anyone who knows it can push. */
      hash: b.code('hash', secret(keep)).notNull(),
      /** The address with the browser's keys, sealed. */
      secret: b.text('secret', secret(gone)).notNull(),
      /** The browser's name for its person. */
      name: b.text('name', gone).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      /** When a push was last taken. */
      taken_at: b.int('taken_at', keep),
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
      agent_id: b.code('agent_id', keep).notNull(),
      blocked_id: b.code('blocked_id', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('blocks_agent').on(t.agent_id, t.blocked_id), b.index('blocks_blocked').on(t.blocked_id)],
  );
  /** Administrators' queue: listings that the niche classifier was unsure of, and reports about agents. */
  const reviews = b.table(
    'reviews',
    {
      id: b.id(),
      kind: b.code<'listing' | 'report' | 'payment'>('kind', keep).notNull(),
      agent_id: b.code('agent_id', keep).notNull(),
      listing_id: b.code('listing_id', keep),
      reporter_id: b.code('reporter_id', keep),
      reason: b.text('reason', stays('what a report was about, for those who decide')).notNull(),
      text: b.text('text', blank('', 'reporter_id')).notNull().default(''),
      status: b.code<'open' | 'approved' | 'rejected'>('status', keep).notNull(),
      decided_by: b.code('decided_by', keep),
      decided_at: b.int('decided_at', keep),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('reviews_status').on(t.status, t.id),
      b.index('reviews_listing').on(t.listing_id, t.id),
      b.index('reviews_reporter').on(t.reporter_id, t.id),
    ],
  );
  /** The entries of feed.json: listings that went live, changed or ended, as they were then. */
  const feed_entries = b.table(
    'feed_entries',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      change: b.code<'published' | 'updated' | 'withdrawn'>('change', keep).notNull(),
      listing_id: b.code('listing_id', keep).notNull(),
      slug: b.text('slug', gone).notNull(),
      headline: b.text('headline', gone).notNull(),
      labels: b.json<readonly string[]>('labels', gone).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
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
