CREATE TABLE "blocks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"blocked_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "couriers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"lease_until" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_entries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"change" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" NOT NULL,
	"labels" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbound_mails" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C",
	"conversation_id" text COLLATE "C",
	"message_id" text COLLATE "C",
	"outcome" text COLLATE "C" NOT NULL,
	"authentication" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_marks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen" bigint NOT NULL,
	"at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_reads" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"read_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"quiet_hours" text,
	"mute" text NOT NULL,
	"read_until" bigint DEFAULT 0 NOT NULL,
	"digested_until" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reply_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C",
	"reporter_id" text COLLATE "C",
	"reason" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" DEFAULT '' NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"decided_by" text COLLATE "C",
	"decided_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_logs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"webhook_id" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"event" text COLLATE "C" NOT NULL,
	"payload" text NOT NULL,
	"http_status" bigint,
	"response_ms" bigint,
	"error" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"events" text NOT NULL,
	"active" bigint DEFAULT 1 NOT NULL,
	"retry" bigint DEFAULT 0 NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"old_secret" text COLLATE "C",
	"old_secret_until" bigint,
	"failure_count" bigint DEFAULT 0 NOT NULL,
	"last_delivery_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "a2a_url" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "a2a_failing_since" bigint;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "verified_attributes" text;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "measured_at" bigint;--> statement-breakpoint
CREATE INDEX "blocks_agent" ON "blocks" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "blocks_blocked" ON "blocks" USING btree ("blocked_id");--> statement-breakpoint
CREATE INDEX "feed_entries_agent" ON "feed_entries" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "feed_entries_expiry" ON "feed_entries" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "inbound_mails_expiry" ON "inbound_mails" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "reply_tokens_expiry" ON "reply_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "reviews_status" ON "reviews" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "reviews_listing" ON "reviews" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "webhook_logs_webhook" ON "webhook_logs" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_logs_expiry" ON "webhook_logs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhooks_agent" ON "webhooks" USING btree ("agent_id");--> statement-breakpoint
INSERT INTO couriers (id, seq, lease_until, version) SELECT id, last_seq, 0, 1 FROM inboxes;