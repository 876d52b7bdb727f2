CREATE TABLE `actions` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`operation` text NOT NULL,
	`input` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`to_id` text,
	`bound` text NOT NULL,
	`bound_cents` integer NOT NULL,
	`status` text NOT NULL,
	`result` text,
	`asked_by` text,
	`respond_by` integer NOT NULL,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `actions_agent` ON `actions` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `actions_expiry` ON `actions` (`expires_at`);