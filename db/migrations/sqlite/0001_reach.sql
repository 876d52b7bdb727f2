CREATE TABLE `blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`blocked_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blocks_agent` ON `blocks` (`agent_id`);--> statement-breakpoint
CREATE INDEX `blocks_blocked` ON `blocks` (`blocked_id`);--> statement-breakpoint
CREATE TABLE `couriers` (
	`id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `feed_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`change` text NOT NULL,
	`listing_id` text NOT NULL,
	`slug` text NOT NULL,
	`headline` text NOT NULL,
	`labels` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feed_entries_agent` ON `feed_entries` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `feed_entries_expiry` ON `feed_entries` (`expires_at`);--> statement-breakpoint
CREATE TABLE `inbound_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text,
	`conversation_id` text,
	`message_id` text,
	`outcome` text NOT NULL,
	`authentication` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inbound_mails_expiry` ON `inbound_mails` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mail_marks` (
	`id` text PRIMARY KEY NOT NULL,
	`seen` integer NOT NULL,
	`at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notification_reads` (
	`id` text PRIMARY KEY NOT NULL,
	`read_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notification_settings` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`digest` text NOT NULL,
	`quiet_hours` text,
	`mute` text NOT NULL,
	`read_until` integer DEFAULT 0 NOT NULL,
	`digested_until` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `reply_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reply_tokens_expiry` ON `reply_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`agent_id` text NOT NULL,
	`listing_id` text,
	`reporter_id` text,
	`reason` text NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reviews_status` ON `reviews` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_listing` ON `reviews` (`listing_id`);--> statement-breakpoint
CREATE TABLE `webhook_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event` text NOT NULL,
	`payload` text NOT NULL,
	`http_status` integer,
	`response_ms` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_logs_webhook` ON `webhook_logs` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_logs_expiry` ON `webhook_logs` (`expires_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`active` integer DEFAULT 1 NOT NULL,
	`retry` integer DEFAULT 0 NOT NULL,
	`secret` text NOT NULL,
	`old_secret` text,
	`old_secret_until` integer,
	`failure_count` integer DEFAULT 0 NOT NULL,
	`last_delivery_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_agent` ON `webhooks` (`agent_id`);--> statement-breakpoint
ALTER TABLE `agents` ADD `a2a_url` text;--> statement-breakpoint
ALTER TABLE `agents` ADD `a2a_failing_since` integer;--> statement-breakpoint
ALTER TABLE `listings` ADD `verified_attributes` text;--> statement-breakpoint
ALTER TABLE `listings` ADD `measured_at` integer;--> statement-breakpoint
INSERT INTO couriers (id, seq, lease_until, version) SELECT id, last_seq, 0, 1 FROM inboxes;