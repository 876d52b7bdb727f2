CREATE TABLE `demand_quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`price_cents` integer NOT NULL,
	`message` text,
	`delivery_days` integer,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `demand_quotes_request` ON `demand_quotes` (`request_id`,`agent_id`);--> statement-breakpoint
CREATE INDEX `demand_quotes_agent` ON `demand_quotes` (`agent_id`,`id`);--> statement-breakpoint
CREATE TABLE `demand_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`headline` text NOT NULL,
	`description` text NOT NULL,
	`labels` text NOT NULL,
	`budget_cents` integer NOT NULL,
	`closes_at` integer NOT NULL,
	`status` text NOT NULL,
	`woken` text NOT NULL,
	`quotes` integer DEFAULT 0 NOT NULL,
	`awarded_quote_id` text,
	`conversation_id` text,
	`deal_id` text,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `demand_requests_closes` ON `demand_requests` (`status`,`closes_at`,`id`);--> statement-breakpoint
CREATE INDEX `demand_requests_agent` ON `demand_requests` (`agent_id`,`id`);