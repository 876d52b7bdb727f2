CREATE TABLE `providers` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`capability` text NOT NULL,
	`endpoint_url` text NOT NULL,
	`price_cents` integer NOT NULL,
	`active` integer NOT NULL,
	`required_fields` text,
	`accepted_fields` text,
	`secret` text NOT NULL,
	`streak` integer DEFAULT 0 NOT NULL,
	`suspended_at` integer,
	`last_error` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`served` integer DEFAULT 0 NOT NULL,
	`charged` integer DEFAULT 0 NOT NULL,
	`latency_sum_ms` integer DEFAULT 0 NOT NULL,
	`weighed_attempts` integer DEFAULT 0 NOT NULL,
	`weighed_served` integer DEFAULT 0 NOT NULL,
	`p50_ms` integer,
	`p95_ms` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `providers_offer` ON `providers` (`agent_id`,`capability`);--> statement-breakpoint
CREATE INDEX `providers_capability` ON `providers` (`capability`,`price_cents`);--> statement-breakpoint
CREATE INDEX `providers_account` ON `providers` (`account_id`);--> statement-breakpoint
CREATE TABLE `router_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`call_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`provider_agent_id` text NOT NULL,
	`provider_account_id` text NOT NULL,
	`caller_account_id` text NOT NULL,
	`capability` text NOT NULL,
	`host` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text,
	`http_status` integer,
	`latency_ms` integer,
	`price_cents` integer DEFAULT 0 NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`counted` integer DEFAULT 1 NOT NULL,
	`gathered_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `router_attempts_provider` ON `router_attempts` (`provider_id`,`id`);--> statement-breakpoint
CREATE INDEX `router_attempts_earner` ON `router_attempts` (`provider_agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `router_attempts_fresh` ON `router_attempts` (`provider_id`) WHERE gathered_at IS NULL;--> statement-breakpoint
CREATE INDEX `router_attempts_unanswered` ON `router_attempts` (`created_at`) WHERE http_status IS NULL;--> statement-breakpoint
CREATE INDEX `router_attempts_expiry` ON `router_attempts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `router_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`capability` text NOT NULL,
	`status` text NOT NULL,
	`claim` text,
	`request_hash` text,
	`claim_until` integer,
	`candidates` text NOT NULL,
	`attempts` text NOT NULL,
	`hold_id` text,
	`provider_agent_id` text,
	`price_cents` integer DEFAULT 0 NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`usage` text,
	`latency_ms` integer,
	`deadline_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `router_calls_claim` ON `router_calls` (`claim`);--> statement-breakpoint
CREATE INDEX `router_calls_agent` ON `router_calls` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `router_calls_expiry` ON `router_calls` (`expires_at`);--> statement-breakpoint
CREATE TABLE `router_results` (
	`id` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `router_results_expiry` ON `router_results` (`expires_at`);--> statement-breakpoint
ALTER TABLE `track_records` DROP COLUMN `calls_charged`;--> statement-breakpoint
ALTER TABLE `track_records` DROP COLUMN `calls_failed`;