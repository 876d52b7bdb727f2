CREATE TABLE `forwards` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`message_id` text NOT NULL,
	`task_id` text,
	`url` text NOT NULL,
	`dialect` text NOT NULL,
	`binding` text NOT NULL,
	`tenant` text,
	`remote_task_id` text,
	`remote_context_id` text,
	`state` text NOT NULL,
	`answer` text,
	`answer_id` text,
	`looks` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `forwards_thread` ON `forwards` (`conversation_id`,`id`);--> statement-breakpoint
CREATE INDEX `forwards_task` ON `forwards` (`task_id`);--> statement-breakpoint
CREATE INDEX `forwards_answer` ON `forwards` (`answer_id`);--> statement-breakpoint
CREATE INDEX `forwards_expiry` ON `forwards` (`expires_at`);--> statement-breakpoint
CREATE TABLE `push_configs` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`config_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`url` text NOT NULL,
	`secret` text,
	`dialect` text NOT NULL,
	`n` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `push_configs_task` ON `push_configs` (`task_id`);--> statement-breakpoint
CREATE INDEX `push_configs_expiry` ON `push_configs` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `push_configs` integer DEFAULT 0 NOT NULL;