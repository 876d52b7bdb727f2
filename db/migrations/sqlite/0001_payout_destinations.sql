ALTER TABLE `payees` ADD `n` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payees` ADD `bank` text;--> statement-breakpoint
ALTER TABLE `payees` ADD `bank_mark` text;--> statement-breakpoint
ALTER TABLE `payees` ADD `connected_by` text;--> statement-breakpoint
ALTER TABLE `payees` ADD `connected_at` integer;--> statement-breakpoint
ALTER TABLE `payouts` ADD `bank` text;