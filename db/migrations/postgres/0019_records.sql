ALTER TABLE "agents" ADD COLUMN "deals_completed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "dispute_rate" bigint;--> statement-breakpoint
CREATE INDEX "deals_conversation" ON "deals" USING btree ("conversation_id");