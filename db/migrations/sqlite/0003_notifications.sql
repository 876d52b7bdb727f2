DROP TABLE `notification_reads`;--> statement-breakpoint
ALTER TABLE `inbox_reads` ADD `noticed` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `notification_settings` DROP COLUMN `read_until`;