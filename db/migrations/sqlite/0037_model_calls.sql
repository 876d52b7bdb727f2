CREATE TABLE `model_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`purpose` text NOT NULL,
	`model` text NOT NULL,
	`prompt` text NOT NULL,
	`answer` text NOT NULL,
	`tokens` integer NOT NULL,
	`cost_microcents` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `model_calls_agent` ON `model_calls` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `model_calls_expiry` ON `model_calls` (`expires_at`);