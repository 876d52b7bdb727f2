CREATE TABLE `task_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`n` integer NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`message` text,
	`artifact` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `task_updates_n` ON `task_updates` (`task_id`,`n`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text,
	`sender_id` text NOT NULL,
	`target_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`state` text NOT NULL,
	`last_n` integer NOT NULL,
	`status_n` integer NOT NULL,
	`dialect` text,
	`metadata` text NOT NULL,
	`remote` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_client` ON `tasks` (`sender_id`,`client_id`) WHERE client_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_sender` ON `tasks` (`sender_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `tasks_target` ON `tasks` (`target_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `tasks_open` ON `tasks` (`conversation_id`,`target_id`) WHERE expires_at IS NULL;--> statement-breakpoint
CREATE INDEX `tasks_expiry` ON `tasks` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `opener_tasks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `other_tasks` integer DEFAULT 0 NOT NULL;