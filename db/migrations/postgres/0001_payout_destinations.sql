ALTER TABLE "payees" ADD COLUMN "n" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payees" ADD COLUMN "bank" text;--> statement-breakpoint
ALTER TABLE "payees" ADD COLUMN "bank_mark" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payees" ADD COLUMN "connected_by" text;--> statement-breakpoint
ALTER TABLE "payees" ADD COLUMN "connected_at" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "bank" text;