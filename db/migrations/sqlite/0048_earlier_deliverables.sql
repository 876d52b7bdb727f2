CREATE TABLE `earlier_deliverables` (
	`id` text PRIMARY KEY NOT NULL,
	`escrow_id` text NOT NULL,
	`milestone_index` integer NOT NULL,
	`n` integer NOT NULL,
	`deliverable` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `earlier_deliverables_escrow` ON `earlier_deliverables` (`escrow_id`);