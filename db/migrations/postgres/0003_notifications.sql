DROP TABLE "notification_reads" CASCADE;--> statement-breakpoint
ALTER TABLE "inbox_reads" ADD COLUMN "noticed" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_settings" DROP COLUMN "read_until";