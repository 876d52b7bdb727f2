CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text,
	`plan` text NOT NULL,
	`provisional` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email` ON `accounts` (`email`);--> statement-breakpoint
CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`handle` text NOT NULL,
	`display_name` text NOT NULL,
	`kind` text NOT NULL,
	`headline` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`offers` text NOT NULL,
	`seeks` text NOT NULL,
	`geo` text,
	`industry` text NOT NULL,
	`visibility` text NOT NULL,
	`bounds` text NOT NULL,
	`availability` text,
	`social_links` text NOT NULL,
	`wake` text NOT NULL,
	`public_key` text,
	`fingerprint` text,
	`provisional` integer DEFAULT 0 NOT NULL,
	`verified_at` integer,
	`intake_at` integer,
	`deactivated_at` integer,
	`trust_score` integer DEFAULT 0 NOT NULL,
	`credentials` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `agents_account` ON `agents` (`account_id`);--> statement-breakpoint
CREATE INDEX `agents_handle` ON `agents` (`handle`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`agent_id` text,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`successor_id` text,
	`used_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `claims` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`provider` text NOT NULL,
	`external_id` text NOT NULL,
	`verified_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`failing_since` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `claims_external` ON `claims` (`provider`,`external_id`);--> statement-breakpoint
CREATE INDEX `claims_agent` ON `claims` (`agent_id`);--> statement-breakpoint
CREATE TABLE `codes` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`data` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`sent_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`opener_id` text NOT NULL,
	`other_id` text NOT NULL,
	`match_id` text,
	`phase` text NOT NULL,
	`status` text NOT NULL,
	`subject` text NOT NULL,
	`last_message_id` text,
	`opener_sent` integer DEFAULT 0 NOT NULL,
	`other_sent` integer DEFAULT 0 NOT NULL,
	`opener_seen` integer DEFAULT 0 NOT NULL,
	`other_seen` integer DEFAULT 0 NOT NULL,
	`closed_reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversations_opener` ON `conversations` (`opener_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_other` ON `conversations` (`other_id`,`id`);--> statement-breakpoint
CREATE TABLE `counters` (
	`id` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `counters_expiry` ON `counters` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`seq` integer NOT NULL,
	`kind` text NOT NULL,
	`handle` text NOT NULL,
	`data` text NOT NULL,
	`subject_id` text,
	`respond_by` integer,
	`awaiting` integer DEFAULT 0 NOT NULL,
	`answered` text,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_seq` ON `events` (`agent_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_awaiting` ON `events` (`agent_id`,`subject_id`) WHERE awaiting = 1;--> statement-breakpoint
CREATE TABLE `handles` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`agent_id` text,
	`email` text,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `handles_agent` ON `handles` (`agent_id`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`id` text PRIMARY KEY NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`sealed` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_expiry` ON `idempotency` (`expires_at`);--> statement-breakpoint
CREATE TABLE `inbox_reads` (
	`id` text PRIMARY KEY NOT NULL,
	`ranges` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `inboxes` (
	`id` text PRIMARY KEY NOT NULL,
	`last_seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `journals` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `key_uses` (
	`id` text PRIMARY KEY NOT NULL,
	`last_used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `labels` (
	`id` text PRIMARY KEY NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`balance_cents` integer NOT NULL,
	`guarded` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_vectors` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`side` text NOT NULL,
	`labels` text NOT NULL,
	`model` text NOT NULL,
	`vector` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listings` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`slug` text NOT NULL,
	`card_type` text NOT NULL,
	`direction` text NOT NULL,
	`headline` text NOT NULL,
	`description` text NOT NULL,
	`geo` text,
	`labels` text NOT NULL,
	`subcategory` text,
	`price_cents` integer,
	`budget_cents` integer,
	`price_period` text DEFAULT 'once' NOT NULL,
	`currency` text DEFAULT 'USD' NOT NULL,
	`per_week_cents` integer,
	`per_month_cents` integer,
	`conditions` text NOT NULL,
	`fields` text NOT NULL,
	`status` text NOT NULL,
	`origin` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listings_slug` ON `listings` (`agent_id`,`slug`);--> statement-breakpoint
CREATE INDEX `listings_account` ON `listings` (`account_id`);--> statement-breakpoint
CREATE TABLE `matches` (
	`id` text PRIMARY KEY NOT NULL,
	`match_id` text NOT NULL,
	`offer_id` text NOT NULL,
	`seek_id` text NOT NULL,
	`offer_agent_id` text NOT NULL,
	`seek_agent_id` text NOT NULL,
	`offer_headline` text NOT NULL,
	`seek_headline` text NOT NULL,
	`score_ppm` integer NOT NULL,
	`reasons` text NOT NULL,
	`status` text NOT NULL,
	`approved_by` text NOT NULL,
	`saved_by` text NOT NULL,
	`shown_to` text NOT NULL,
	`offer_visible` integer DEFAULT 1 NOT NULL,
	`seek_visible` integer DEFAULT 1 NOT NULL,
	`feedback` text,
	`conversation_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `matches_match_id` ON `matches` (`match_id`);--> statement-breakpoint
CREATE INDEX `matches_offer_agent` ON `matches` (`offer_agent_id`,`score_ppm`);--> statement-breakpoint
CREATE INDEX `matches_seek_agent` ON `matches` (`seek_agent_id`,`score_ppm`);--> statement-breakpoint
CREATE INDEX `matches_offer` ON `matches` (`offer_id`);--> statement-breakpoint
CREATE INDEX `matches_seek` ON `matches` (`seek_id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`sender_id` text NOT NULL,
	`sender_handle` text NOT NULL,
	`kind` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_conversation` ON `messages` (`conversation_id`,`id`);--> statement-breakpoint
CREATE TABLE `outbound` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbound_next` ON `outbound` (`next_at`);--> statement-breakpoint
CREATE TABLE `presence` (
	`id` text PRIMARY KEY NOT NULL,
	`last_seen_at` integer NOT NULL,
	`samples` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reminders` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`input` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reminders_at` ON `reminders` (`at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`refresh_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`);--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`journal` text NOT NULL,
	`debit` text NOT NULL,
	`credit` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `transfers_journal` ON `transfers` (`journal`);