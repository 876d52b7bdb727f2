ALTER TABLE `conversations` ADD `opener_blocks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `other_blocks` integer DEFAULT 0 NOT NULL;