CREATE TABLE `account_marks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`mark` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_marks_account` ON `account_marks` (`account_id`);--> statement-breakpoint
CREATE INDEX `account_marks_mark` ON `account_marks` (`mark`);--> statement-breakpoint
CREATE TABLE `outside_identities` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outside_identities_account` ON `outside_identities` (`account_id`);--> statement-breakpoint
CREATE TABLE `partners` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`deals` integer DEFAULT 0 NOT NULL,
	`reviews` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `partners_agent` ON `partners` (`agent_id`);--> statement-breakpoint
ALTER TABLE `track_records` ADD `partners` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `track_records` ADD `partners_rating` integer;