// Made by scripts/make-migration.ts from db/migrations/sqlite; never edited by hand.
export const SQLITE_MIGRATIONS: readonly { readonly name: string; readonly statements: readonly string[] }[] = [
  {
    "name": "0000_first",
    "statements": [
      "CREATE TABLE `accounts` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`email` text,\n\t`plan` text NOT NULL,\n\t`provisional` integer DEFAULT 0 NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE UNIQUE INDEX `accounts_email` ON `accounts` (`email`);",
      "CREATE TABLE `agents` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`account_id` text NOT NULL,\n\t`handle` text NOT NULL,\n\t`display_name` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`headline` text DEFAULT '' NOT NULL,\n\t`description` text DEFAULT '' NOT NULL,\n\t`offers` text NOT NULL,\n\t`seeks` text NOT NULL,\n\t`geo` text,\n\t`industry` text NOT NULL,\n\t`visibility` text NOT NULL,\n\t`bounds` text NOT NULL,\n\t`availability` text,\n\t`social_links` text NOT NULL,\n\t`wake` text NOT NULL,\n\t`public_key` text,\n\t`fingerprint` text,\n\t`provisional` integer DEFAULT 0 NOT NULL,\n\t`verified_at` integer,\n\t`intake_at` integer,\n\t`deactivated_at` integer,\n\t`trust_score` integer DEFAULT 0 NOT NULL,\n\t`credentials` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `agents_account` ON `agents` (`account_id`);",
      "CREATE INDEX `agents_handle` ON `agents` (`handle`);",
      "CREATE TABLE `api_keys` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`account_id` text NOT NULL,\n\t`agent_id` text,\n\t`hash` text NOT NULL,\n\t`prefix` text NOT NULL,\n\t`name` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`scopes` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL,\n\t`revoked_at` integer,\n\t`successor_id` text,\n\t`used_at` integer,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);",
      "CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);",
      "CREATE TABLE `challenges` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`expires_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `claims` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`provider` text NOT NULL,\n\t`external_id` text NOT NULL,\n\t`verified_at` integer NOT NULL,\n\t`checked_at` integer NOT NULL,\n\t`failing_since` integer,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE UNIQUE INDEX `claims_external` ON `claims` (`provider`,`external_id`);",
      "CREATE INDEX `claims_agent` ON `claims` (`agent_id`);",
      "CREATE TABLE `codes` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`hash` text NOT NULL,\n\t`data` text NOT NULL,\n\t`tries` integer DEFAULT 0 NOT NULL,\n\t`sent_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `conversations` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`opener_id` text NOT NULL,\n\t`other_id` text NOT NULL,\n\t`match_id` text,\n\t`phase` text NOT NULL,\n\t`status` text NOT NULL,\n\t`subject` text NOT NULL,\n\t`last_message_id` text,\n\t`opener_sent` integer DEFAULT 0 NOT NULL,\n\t`other_sent` integer DEFAULT 0 NOT NULL,\n\t`opener_seen` integer DEFAULT 0 NOT NULL,\n\t`other_seen` integer DEFAULT 0 NOT NULL,\n\t`closed_reason` text,\n\t`created_at` integer NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `conversations_opener` ON `conversations` (`opener_id`,`id`);",
      "CREATE INDEX `conversations_other` ON `conversations` (`other_id`,`id`);",
      "CREATE TABLE `counters` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`n` integer NOT NULL,\n\t`expires_at` integer\n);",
      "CREATE INDEX `counters_expiry` ON `counters` (`expires_at`) WHERE expires_at IS NOT NULL;",
      "CREATE TABLE `events` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`seq` integer NOT NULL,\n\t`kind` text NOT NULL,\n\t`handle` text NOT NULL,\n\t`data` text NOT NULL,\n\t`subject_id` text,\n\t`respond_by` integer,\n\t`awaiting` integer DEFAULT 0 NOT NULL,\n\t`answered` text,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE UNIQUE INDEX `events_seq` ON `events` (`agent_id`,`seq`);",
      "CREATE INDEX `events_awaiting` ON `events` (`agent_id`,`subject_id`) WHERE awaiting = 1;",
      "CREATE TABLE `handles` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`kind` text NOT NULL,\n\t`agent_id` text,\n\t`email` text,\n\t`expires_at` integer,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `handles_agent` ON `handles` (`agent_id`);",
      "CREATE TABLE `idempotency` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`request_hash` text NOT NULL,\n\t`status` integer NOT NULL,\n\t`headers` text NOT NULL,\n\t`body` text NOT NULL,\n\t`sealed` integer DEFAULT 0 NOT NULL,\n\t`expires_at` integer NOT NULL\n);",
      "CREATE INDEX `idempotency_expiry` ON `idempotency` (`expires_at`);",
      "CREATE TABLE `inbox_reads` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`ranges` text NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `inboxes` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`last_seq` integer NOT NULL\n);",
      "CREATE TABLE `journals` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`kind` text NOT NULL,\n\t`created_at` integer NOT NULL\n);",
      "CREATE TABLE `key_uses` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`last_used_at` integer NOT NULL\n);",
      "CREATE TABLE `labels` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`uses` integer DEFAULT 0 NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `ledger_accounts` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`balance_cents` integer NOT NULL,\n\t`guarded` integer NOT NULL\n);",
      "CREATE TABLE `listing_vectors` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`side` text NOT NULL,\n\t`labels` text NOT NULL,\n\t`model` text NOT NULL,\n\t`vector` blob NOT NULL\n);",
      "CREATE TABLE `listings` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`account_id` text NOT NULL,\n\t`slug` text NOT NULL,\n\t`card_type` text NOT NULL,\n\t`direction` text NOT NULL,\n\t`headline` text NOT NULL,\n\t`description` text NOT NULL,\n\t`geo` text,\n\t`labels` text NOT NULL,\n\t`subcategory` text,\n\t`price_cents` integer,\n\t`budget_cents` integer,\n\t`price_period` text DEFAULT 'once' NOT NULL,\n\t`currency` text DEFAULT 'USD' NOT NULL,\n\t`per_week_cents` integer,\n\t`per_month_cents` integer,\n\t`conditions` text NOT NULL,\n\t`fields` text NOT NULL,\n\t`status` text NOT NULL,\n\t`origin` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE UNIQUE INDEX `listings_slug` ON `listings` (`agent_id`,`slug`);",
      "CREATE INDEX `listings_account` ON `listings` (`account_id`);",
      "CREATE TABLE `matches` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`match_id` text NOT NULL,\n\t`offer_id` text NOT NULL,\n\t`seek_id` text NOT NULL,\n\t`offer_agent_id` text NOT NULL,\n\t`seek_agent_id` text NOT NULL,\n\t`offer_headline` text NOT NULL,\n\t`seek_headline` text NOT NULL,\n\t`score_ppm` integer NOT NULL,\n\t`reasons` text NOT NULL,\n\t`status` text NOT NULL,\n\t`approved_by` text NOT NULL,\n\t`saved_by` text NOT NULL,\n\t`shown_to` text NOT NULL,\n\t`offer_visible` integer DEFAULT 1 NOT NULL,\n\t`seek_visible` integer DEFAULT 1 NOT NULL,\n\t`feedback` text,\n\t`conversation_id` text,\n\t`created_at` integer NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE UNIQUE INDEX `matches_match_id` ON `matches` (`match_id`);",
      "CREATE INDEX `matches_offer_agent` ON `matches` (`offer_agent_id`,`score_ppm`);",
      "CREATE INDEX `matches_seek_agent` ON `matches` (`seek_agent_id`,`score_ppm`);",
      "CREATE INDEX `matches_offer` ON `matches` (`offer_id`);",
      "CREATE INDEX `matches_seek` ON `matches` (`seek_id`);",
      "CREATE TABLE `messages` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`conversation_id` text NOT NULL,\n\t`sender_id` text NOT NULL,\n\t`sender_handle` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`content` text NOT NULL,\n\t`created_at` integer NOT NULL\n);",
      "CREATE INDEX `messages_conversation` ON `messages` (`conversation_id`,`id`);",
      "CREATE TABLE `outbound` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`channel` text NOT NULL,\n\t`payload` text NOT NULL,\n\t`attempts` integer DEFAULT 0 NOT NULL,\n\t`next_at` integer NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `outbound_next` ON `outbound` (`next_at`);",
      "CREATE TABLE `presence` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`last_seen_at` integer NOT NULL,\n\t`samples` text NOT NULL\n);",
      "CREATE TABLE `reminders` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`at` integer NOT NULL,\n\t`operation` text NOT NULL,\n\t`input` text NOT NULL,\n\t`attempts` integer DEFAULT 0 NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `reminders_at` ON `reminders` (`at`);",
      "CREATE TABLE `sessions` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`account_id` text NOT NULL,\n\t`refresh_hash` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL,\n\t`ended_at` integer,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `sessions_account` ON `sessions` (`account_id`);",
      "CREATE TABLE `transfers` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`journal` text NOT NULL,\n\t`debit` text NOT NULL,\n\t`credit` text NOT NULL,\n\t`amount_cents` integer NOT NULL,\n\t`created_at` integer NOT NULL\n);",
      "CREATE INDEX `transfers_journal` ON `transfers` (`journal`);"
    ]
  },
  {
    "name": "0001_reach",
    "statements": [
      "CREATE TABLE `blocks` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`blocked_id` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `blocks_agent` ON `blocks` (`agent_id`);",
      "CREATE INDEX `blocks_blocked` ON `blocks` (`blocked_id`);",
      "CREATE TABLE `couriers` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`seq` integer NOT NULL,\n\t`lease_until` integer DEFAULT 0 NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `feed_entries` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`change` text NOT NULL,\n\t`listing_id` text NOT NULL,\n\t`slug` text NOT NULL,\n\t`headline` text NOT NULL,\n\t`labels` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL\n);",
      "CREATE INDEX `feed_entries_agent` ON `feed_entries` (`agent_id`,`id`);",
      "CREATE INDEX `feed_entries_expiry` ON `feed_entries` (`expires_at`);",
      "CREATE TABLE `inbound_mails` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text,\n\t`conversation_id` text,\n\t`message_id` text,\n\t`outcome` text NOT NULL,\n\t`authentication` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL\n);",
      "CREATE INDEX `inbound_mails_expiry` ON `inbound_mails` (`expires_at`);",
      "CREATE TABLE `mail_marks` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`seen` integer NOT NULL,\n\t`at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `notification_reads` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`read_at` integer NOT NULL\n);",
      "CREATE TABLE `notification_settings` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`email` text NOT NULL,\n\t`digest` text NOT NULL,\n\t`quiet_hours` text,\n\t`mute` text NOT NULL,\n\t`read_until` integer DEFAULT 0 NOT NULL,\n\t`digested_until` integer DEFAULT 0 NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `reply_tokens` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`conversation_id` text NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL\n);",
      "CREATE INDEX `reply_tokens_expiry` ON `reply_tokens` (`expires_at`);",
      "CREATE TABLE `reviews` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`kind` text NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`listing_id` text,\n\t`reporter_id` text,\n\t`reason` text NOT NULL,\n\t`text` text DEFAULT '' NOT NULL,\n\t`status` text NOT NULL,\n\t`decided_by` text,\n\t`decided_at` integer,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `reviews_status` ON `reviews` (`status`,`id`);",
      "CREATE INDEX `reviews_listing` ON `reviews` (`listing_id`);",
      "CREATE TABLE `webhook_logs` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`webhook_id` text NOT NULL,\n\t`event_id` text NOT NULL,\n\t`event` text NOT NULL,\n\t`payload` text NOT NULL,\n\t`http_status` integer,\n\t`response_ms` integer,\n\t`error` text,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL\n);",
      "CREATE INDEX `webhook_logs_webhook` ON `webhook_logs` (`webhook_id`,`id`);",
      "CREATE INDEX `webhook_logs_expiry` ON `webhook_logs` (`expires_at`);",
      "CREATE TABLE `webhooks` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`kind` text NOT NULL,\n\t`url` text NOT NULL,\n\t`events` text NOT NULL,\n\t`active` integer DEFAULT 1 NOT NULL,\n\t`retry` integer DEFAULT 0 NOT NULL,\n\t`secret` text NOT NULL,\n\t`old_secret` text,\n\t`old_secret_until` integer,\n\t`failure_count` integer DEFAULT 0 NOT NULL,\n\t`last_delivery_at` integer,\n\t`created_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `webhooks_agent` ON `webhooks` (`agent_id`);",
      "ALTER TABLE `agents` ADD `a2a_url` text;",
      "ALTER TABLE `agents` ADD `a2a_failing_since` integer;",
      "ALTER TABLE `listings` ADD `verified_attributes` text;",
      "ALTER TABLE `listings` ADD `measured_at` integer;",
      "INSERT INTO couriers (id, seq, lease_until, version) SELECT id, last_seq, 0, 1 FROM inboxes;"
    ]
  },
  {
    "name": "0002_blocked_threads",
    "statements": [
      "ALTER TABLE `conversations` ADD `opener_blocks` integer DEFAULT 0 NOT NULL;",
      "ALTER TABLE `conversations` ADD `other_blocks` integer DEFAULT 0 NOT NULL;"
    ]
  },
  {
    "name": "0003_notifications",
    "statements": [
      "DROP TABLE `notification_reads`;",
      "ALTER TABLE `inbox_reads` ADD `noticed` text DEFAULT '' NOT NULL;",
      "ALTER TABLE `notification_settings` DROP COLUMN `read_until`;"
    ]
  },
  {
    "name": "0004_presence_and_rates",
    "statements": [
      "ALTER TABLE `presence` ADD `streams` text;"
    ]
  },
  {
    "name": "0005_journals_with_balances",
    "statements": [
      "ALTER TABLE `journals` ADD `subject_id` text;",
      "ALTER TABLE `journals` ADD `digest` text DEFAULT '' NOT NULL;",
      "ALTER TABLE `transfers` ADD `debit_after_cents` integer;",
      "ALTER TABLE `transfers` ADD `credit_after_cents` integer;",
      "CREATE INDEX `transfers_platform_debit` ON `transfers` (`debit`,`amount_cents`) WHERE debit_after_cents IS NULL;",
      "CREATE INDEX `transfers_platform_credit` ON `transfers` (`credit`,`amount_cents`) WHERE credit_after_cents IS NULL;",
      "DELETE FROM ledger_accounts WHERE guarded = 0;",
      "PRAGMA foreign_keys=OFF;",
      "CREATE TABLE `__new_ledger_accounts` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`balance_cents` integer NOT NULL,\n\tCONSTRAINT \"ledger_accounts_covered\" CHECK(balance_cents >= 0)\n);",
      "INSERT INTO `__new_ledger_accounts`(\"id\", \"balance_cents\") SELECT \"id\", \"balance_cents\" FROM `ledger_accounts`;",
      "DROP TABLE `ledger_accounts`;",
      "ALTER TABLE `__new_ledger_accounts` RENAME TO `ledger_accounts`;",
      "PRAGMA foreign_keys=ON;"
    ]
  },
  {
    "name": "0006_message_places",
    "statements": [
      "DROP INDEX `messages_conversation`;",
      "ALTER TABLE `messages` ADD `n` integer DEFAULT 0 NOT NULL;",
      "ALTER TABLE `conversations` ADD `last_n` integer DEFAULT 0 NOT NULL;",
      "UPDATE messages SET n = placed.n FROM (SELECT id, row_number() OVER (PARTITION BY conversation_id ORDER BY id) AS n FROM messages) AS placed WHERE placed.id = messages.id;",
      "UPDATE conversations SET last_n = counted.n FROM (SELECT conversation_id, count(*) AS n FROM messages GROUP BY conversation_id) AS counted WHERE counted.conversation_id = conversations.id;",
      "CREATE UNIQUE INDEX `messages_n` ON `messages` (`conversation_id`,`n`);"
    ]
  },
  {
    "name": "0007_add_service_time",
    "statements": [
      "CREATE TABLE `service_time` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`offset_ms` integer NOT NULL,\n\t`mover` text,\n\t`moving_until` integer NOT NULL\n);"
    ]
  },
  {
    "name": "0008_labels_and_listings_by_index",
    "statements": [
      "CREATE INDEX `labels_uses` ON `labels` (`uses`,`id`);",
      "CREATE INDEX `listings_agent` ON `listings` (`agent_id`,`id`);",
      "CREATE INDEX `listings_status` ON `listings` (`agent_id`,`status`,`id`);",
      "CREATE INDEX `listings_headline` ON `listings` (`agent_id`,`headline`,`direction`,`id`);"
    ]
  },
  {
    "name": "0009_delivery_cursors",
    "statements": [
      "ALTER TABLE `couriers` RENAME TO `delivery_cursors`;",
      "UPDATE `reminders` SET `id` = 'site.recheck' || substr(`id`, 15), `operation` = 'site.recheck' WHERE `operation` = 'domain.recheck';"
    ]
  },
  {
    "name": "0010_kept_values",
    "statements": [
      "PRAGMA foreign_keys=OFF;",
      "CREATE TABLE `__new_idempotency` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`request_hash` text NOT NULL,\n\t`status` text NOT NULL,\n\t`notes` text NOT NULL,\n\t`value` text NOT NULL,\n\t`sealed` integer DEFAULT 0 NOT NULL,\n\t`expires_at` integer NOT NULL\n);",
      "INSERT INTO `__new_idempotency`(\"id\", \"request_hash\", \"status\", \"notes\", \"value\", \"sealed\", \"expires_at\") SELECT \"id\", \"request_hash\", CASE \"status\" WHEN 200 THEN 'ok' WHEN 201 THEN 'created' WHEN 202 THEN 'accepted' ELSE 'refused' END, '{}', \"body\", \"sealed\", \"expires_at\" FROM `idempotency` WHERE \"status\" < 300 OR \"body\" NOT LIKE '{\"receipt\":%';",
      "DROP TABLE `idempotency`;",
      "ALTER TABLE `__new_idempotency` RENAME TO `idempotency`;",
      "PRAGMA foreign_keys=ON;",
      "CREATE INDEX `idempotency_expiry` ON `idempotency` (`expires_at`);"
    ]
  },
  {
    "name": "0011_tasks",
    "statements": [
      "CREATE TABLE `task_updates` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`task_id` text NOT NULL,\n\t`n` integer NOT NULL,\n\t`kind` text NOT NULL,\n\t`state` text NOT NULL,\n\t`message` text,\n\t`artifact` text,\n\t`created_at` integer NOT NULL\n);",
      "CREATE UNIQUE INDEX `task_updates_n` ON `task_updates` (`task_id`,`n`);",
      "CREATE TABLE `tasks` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`client_id` text,\n\t`sender_id` text NOT NULL,\n\t`target_id` text NOT NULL,\n\t`conversation_id` text NOT NULL,\n\t`state` text NOT NULL,\n\t`last_n` integer NOT NULL,\n\t`status_n` integer NOT NULL,\n\t`dialect` text,\n\t`metadata` text NOT NULL,\n\t`remote` text,\n\t`created_at` integer NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`expires_at` integer,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE UNIQUE INDEX `tasks_client` ON `tasks` (`sender_id`,`client_id`) WHERE client_id IS NOT NULL;",
      "CREATE INDEX `tasks_sender` ON `tasks` (`sender_id`,`updated_at`);",
      "CREATE INDEX `tasks_target` ON `tasks` (`target_id`,`updated_at`);",
      "CREATE INDEX `tasks_open` ON `tasks` (`conversation_id`,`target_id`) WHERE expires_at IS NULL;",
      "CREATE INDEX `tasks_expiry` ON `tasks` (`expires_at`) WHERE expires_at IS NOT NULL;",
      "ALTER TABLE `conversations` ADD `opener_tasks` integer DEFAULT 0 NOT NULL;",
      "ALTER TABLE `conversations` ADD `other_tasks` integer DEFAULT 0 NOT NULL;"
    ]
  },
  {
    "name": "0012_keep_traces",
    "statements": [
      "ALTER TABLE `events` ADD `trace` text;"
    ]
  },
  {
    "name": "0013_endpoint_cards",
    "statements": [
      "ALTER TABLE `agents` ADD `a2a_card` text;"
    ]
  },
  {
    "name": "0014_forwards",
    "statements": [
      "CREATE TABLE `forwards` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`conversation_id` text NOT NULL,\n\t`message_id` text NOT NULL,\n\t`task_id` text,\n\t`url` text NOT NULL,\n\t`dialect` text NOT NULL,\n\t`binding` text NOT NULL,\n\t`tenant` text,\n\t`remote_task_id` text,\n\t`remote_context_id` text,\n\t`state` text NOT NULL,\n\t`answer` text,\n\t`answer_id` text,\n\t`looks` integer DEFAULT 0 NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `forwards_thread` ON `forwards` (`conversation_id`,`id`);",
      "CREATE INDEX `forwards_task` ON `forwards` (`task_id`);",
      "CREATE INDEX `forwards_answer` ON `forwards` (`answer_id`);",
      "CREATE INDEX `forwards_expiry` ON `forwards` (`expires_at`);",
      "CREATE TABLE `push_configs` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`task_id` text NOT NULL,\n\t`config_id` text NOT NULL,\n\t`agent_id` text NOT NULL,\n\t`url` text NOT NULL,\n\t`secret` text,\n\t`dialect` text NOT NULL,\n\t`n` integer NOT NULL,\n\t`failures` integer DEFAULT 0 NOT NULL,\n\t`created_at` integer NOT NULL,\n\t`expires_at` integer,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE INDEX `push_configs_task` ON `push_configs` (`task_id`);",
      "CREATE INDEX `push_configs_expiry` ON `push_configs` (`expires_at`) WHERE expires_at IS NOT NULL;",
      "ALTER TABLE `tasks` ADD `push_configs` integer DEFAULT 0 NOT NULL;"
    ]
  },
  {
    "name": "0015_index_artifacts",
    "statements": [
      "CREATE INDEX `task_updates_artifacts` ON `task_updates` (`task_id`,`n`) WHERE artifact IS NOT NULL;"
    ]
  },
  {
    "name": "0016_matching_ranks",
    "statements": [
      "CREATE TABLE `tastes` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`signals` text NOT NULL,\n\t`updated_at` integer NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "CREATE TABLE `template_words` (\n\t`id` text PRIMARY KEY NOT NULL,\n\t`shares` text NOT NULL,\n\t`version` integer DEFAULT 1 NOT NULL\n);",
      "DROP INDEX `matches_offer`;",
      "DROP INDEX `matches_seek`;",
      "ALTER TABLE `matches` ADD `offer_best` integer DEFAULT 1 NOT NULL;",
      "ALTER TABLE `matches` ADD `seek_best` integer DEFAULT 1 NOT NULL;",
      "ALTER TABLE `matches` ADD `ended_by` text;",
      "CREATE INDEX `matches_offer` ON `matches` (`offer_id`,`offer_best`,`score_ppm`);",
      "CREATE INDEX `matches_seek` ON `matches` (`seek_id`,`seek_best`,`score_ppm`);",
      "ALTER TABLE `listing_vectors` ADD `card_type` text;",
      "ALTER TABLE `listing_vectors` ADD `terms` blob;"
    ]
  }
];
