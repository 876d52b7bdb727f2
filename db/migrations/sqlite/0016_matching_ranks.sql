CREATE TABLE `tastes` (
	`id` text PRIMARY KEY NOT NULL,
	`signals` text NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `template_words` (
	`id` text PRIMARY KEY NOT NULL,
	`shares` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
DROP INDEX `matches_offer`;--> statement-breakpoint
DROP INDEX `matches_seek`;--> statement-breakpoint
ALTER TABLE `matches` ADD `offer_best` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `matches` ADD `seek_best` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `matches` ADD `ended_by` text;--> statement-breakpoint
CREATE INDEX `matches_offer` ON `matches` (`offer_id`,`offer_best`,`score_ppm`);--> statement-breakpoint
CREATE INDEX `matches_seek` ON `matches` (`seek_id`,`seek_best`,`score_ppm`);--> statement-breakpoint
ALTER TABLE `listing_vectors` ADD `card_type` text;--> statement-breakpoint
ALTER TABLE `listing_vectors` ADD `terms` blob;