ALTER TABLE "conversations" ADD COLUMN "opener_blocks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "other_blocks" bigint DEFAULT 0 NOT NULL;