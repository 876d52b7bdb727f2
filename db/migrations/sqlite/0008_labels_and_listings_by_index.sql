CREATE INDEX `labels_uses` ON `labels` (`uses`,`id`);--> statement-breakpoint
CREATE INDEX `listings_agent` ON `listings` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `listings_status` ON `listings` (`agent_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `listings_headline` ON `listings` (`agent_id`,`headline`,`direction`,`id`);