ALTER TABLE `inboxes` ADD `delivered_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `inboxes` ADD `behind` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `inboxes` ADD `lease_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `inboxes` SET `delivered_seq` = coalesce((SELECT c.seq FROM `delivery_cursors` AS c WHERE c.id = `inboxes`.`id`), 0);--> statement-breakpoint
UPDATE `inboxes` SET `behind` = 1 WHERE `delivered_seq` < `last_seq`;--> statement-breakpoint
CREATE INDEX `inboxes_behind` ON `inboxes` (`id`) WHERE behind = 1;--> statement-breakpoint
DROP TABLE `delivery_cursors`;