CREATE TABLE `installs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
