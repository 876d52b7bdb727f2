DROP INDEX `deals_buyer`;--> statement-breakpoint
DROP INDEX `deals_seller`;--> statement-breakpoint
CREATE INDEX `deals_buyer` ON `deals` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `deals_seller` ON `deals` (`seller_id`,`id`);