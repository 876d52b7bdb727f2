ALTER TABLE `oauth_grants` ADD `rotations` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `oauth_grants` ADD `rotated_at` text;