DROP INDEX `messages_conversation`;--> statement-breakpoint
ALTER TABLE `messages` ADD `n` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `last_n` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE messages SET n = placed.n FROM (SELECT id, row_number() OVER (PARTITION BY conversation_id ORDER BY id) AS n FROM messages) AS placed WHERE placed.id = messages.id;--> statement-breakpoint
UPDATE conversations SET last_n = counted.n FROM (SELECT conversation_id, count(*) AS n FROM messages GROUP BY conversation_id) AS counted WHERE counted.conversation_id = conversations.id;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_n` ON `messages` (`conversation_id`,`n`);
