ALTER TABLE `agents` ADD `deals_completed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `dispute_rate` integer;--> statement-breakpoint
CREATE INDEX `deals_conversation` ON `deals` (`conversation_id`);