CREATE TABLE `admin_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`by_id` text NOT NULL,
	`operation` text NOT NULL,
	`subject_id` text,
	`reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `admin_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_admin` ON `accounts` (`admin_at`) WHERE admin_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reviews_reporter` ON `reviews` (`reporter_id`);