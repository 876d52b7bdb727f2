CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`decision` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`by` text NOT NULL,
	`credential_id` text,
	`bounds` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `approvals_agent` ON `approvals` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_created` ON `approvals` (`created_at`);--> statement-breakpoint
CREATE TABLE `knowledge` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`public` integer DEFAULT 0 NOT NULL,
	`vector` blob,
	`model` text,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `knowledge_agent` ON `knowledge` (`agent_id`,`id`);--> statement-breakpoint
CREATE TABLE `meetings` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`by_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`duration_minutes` integer NOT NULL,
	`url` text,
	`completed_by` text,
	`completed_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `meetings_conversation` ON `meetings` (`conversation_id`,`id`);--> statement-breakpoint
CREATE TABLE `proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`number` integer NOT NULL,
	`by_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`terms` text NOT NULL,
	`milestones` text NOT NULL,
	`status` text NOT NULL,
	`buyer_at` integer,
	`seller_at` integer,
	`buyer_pays` integer DEFAULT 0 NOT NULL,
	`escalated_to` text,
	`bound` text,
	`replaced_by` text,
	`deal_id` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proposals_number` ON `proposals` (`conversation_id`,`number`);--> statement-breakpoint
CREATE INDEX `proposals_buyer` ON `proposals` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `proposals_seller` ON `proposals` (`seller_id`,`id`);--> statement-breakpoint
CREATE TABLE `turns` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`reasons` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `turns_conversation` ON `turns` (`conversation_id`,`id`);--> statement-breakpoint
CREATE TABLE `views` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`listing_id` text,
	`day` text NOT NULL,
	`n` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `views_agent` ON `views` (`agent_id`,`day`);--> statement-breakpoint
ALTER TABLE `agents` ADD `autopilot` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `proposal_id` text;--> statement-breakpoint
ALTER TABLE `conversations` ADD `escalated_to` text;