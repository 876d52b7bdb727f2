CREATE TABLE "accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C",
	"plan" text COLLATE "C" NOT NULL,
	"provisional" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"handle" text COLLATE "C" NOT NULL,
	"display_name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" DEFAULT '' NOT NULL,
	"description" text COLLATE "C" DEFAULT '' NOT NULL,
	"offers" text NOT NULL,
	"seeks" text NOT NULL,
	"geo" text,
	"industry" text NOT NULL,
	"visibility" text COLLATE "C" NOT NULL,
	"bounds" text NOT NULL,
	"availability" text,
	"social_links" text NOT NULL,
	"wake" text NOT NULL,
	"public_key" text COLLATE "C",
	"fingerprint" text COLLATE "C",
	"provisional" bigint DEFAULT 0 NOT NULL,
	"verified_at" bigint,
	"intake_at" bigint,
	"deactivated_at" bigint,
	"trust_score" bigint DEFAULT 0 NOT NULL,
	"credentials" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL,
	"prefix" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"scopes" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint,
	"successor_id" text COLLATE "C",
	"used_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "challenges" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"verified_at" bigint NOT NULL,
	"checked_at" bigint NOT NULL,
	"failing_since" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"data" text NOT NULL,
	"tries" bigint DEFAULT 0 NOT NULL,
	"sent_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "commits" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"node" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"agents" text NOT NULL,
	"changed" text NOT NULL,
	"vectors" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"opener_id" text COLLATE "C" NOT NULL,
	"other_id" text COLLATE "C" NOT NULL,
	"match_id" text COLLATE "C",
	"phase" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"last_message_id" text COLLATE "C",
	"opener_sent" bigint DEFAULT 0 NOT NULL,
	"other_sent" bigint DEFAULT 0 NOT NULL,
	"opener_seen" bigint DEFAULT 0 NOT NULL,
	"other_seen" bigint DEFAULT 0 NOT NULL,
	"closed_reason" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"n" bigint NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"handle" text COLLATE "C" NOT NULL,
	"data" text NOT NULL,
	"subject_id" text COLLATE "C",
	"respond_by" bigint,
	"awaiting" bigint DEFAULT 0 NOT NULL,
	"answered" text,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "handles" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C",
	"email" text COLLATE "C",
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"request_hash" text COLLATE "C" NOT NULL,
	"status" bigint NOT NULL,
	"headers" text NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"sealed" bigint DEFAULT 0 NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_reads" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"ranges" text COLLATE "C" NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inboxes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last_seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "journals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "key_uses" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last_used_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "labels" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"uses" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"balance_cents" bigint NOT NULL,
	"guarded" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listing_vectors" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"side" text COLLATE "C" NOT NULL,
	"labels" text NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"vector" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"card_type" text COLLATE "C" NOT NULL,
	"direction" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"geo" text COLLATE "C",
	"labels" text NOT NULL,
	"subcategory" text COLLATE "C",
	"price_cents" bigint,
	"budget_cents" bigint,
	"price_period" text COLLATE "C" DEFAULT 'once' NOT NULL,
	"currency" text COLLATE "C" DEFAULT 'USD' NOT NULL,
	"per_week_cents" bigint,
	"per_month_cents" bigint,
	"conditions" text NOT NULL,
	"fields" text NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "matches" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"match_id" text COLLATE "C" NOT NULL,
	"offer_id" text COLLATE "C" NOT NULL,
	"seek_id" text COLLATE "C" NOT NULL,
	"offer_agent_id" text COLLATE "C" NOT NULL,
	"seek_agent_id" text COLLATE "C" NOT NULL,
	"offer_headline" text COLLATE "C" NOT NULL,
	"seek_headline" text COLLATE "C" NOT NULL,
	"score_ppm" bigint NOT NULL,
	"reasons" text NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"approved_by" text NOT NULL,
	"saved_by" text NOT NULL,
	"shown_to" text NOT NULL,
	"offer_visible" bigint DEFAULT 1 NOT NULL,
	"seek_visible" bigint DEFAULT 1 NOT NULL,
	"feedback" text,
	"conversation_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"sender_id" text COLLATE "C" NOT NULL,
	"sender_handle" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbound" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"payload" text COLLATE "C" NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"next_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presence" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"samples" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reminders" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"input" text NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"refresh_hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"journal" text COLLATE "C" NOT NULL,
	"debit" text COLLATE "C" NOT NULL,
	"credit" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email" ON "accounts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "agents_account" ON "agents" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "agents_handle" ON "agents" USING btree ("handle");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "claims_external" ON "claims" USING btree ("provider","external_id");--> statement-breakpoint
CREATE INDEX "claims_agent" ON "claims" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "commits_created" ON "commits" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "commits_expiry" ON "commits" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "conversations_opener" ON "conversations" USING btree ("opener_id","id");--> statement-breakpoint
CREATE INDEX "conversations_other" ON "conversations" USING btree ("other_id","id");--> statement-breakpoint
CREATE INDEX "counters_expiry" ON "counters" USING btree ("expires_at") WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "events_seq" ON "events" USING btree ("agent_id","seq");--> statement-breakpoint
CREATE INDEX "events_awaiting" ON "events" USING btree ("agent_id","subject_id") WHERE awaiting = 1;--> statement-breakpoint
CREATE INDEX "handles_agent" ON "handles" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "idempotency_expiry" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "listings_slug" ON "listings" USING btree ("agent_id","slug");--> statement-breakpoint
CREATE INDEX "listings_account" ON "listings" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "matches_match_id" ON "matches" USING btree ("match_id");--> statement-breakpoint
CREATE INDEX "matches_offer_agent" ON "matches" USING btree ("offer_agent_id","score_ppm");--> statement-breakpoint
CREATE INDEX "matches_seek_agent" ON "matches" USING btree ("seek_agent_id","score_ppm");--> statement-breakpoint
CREATE INDEX "matches_offer" ON "matches" USING btree ("offer_id");--> statement-breakpoint
CREATE INDEX "matches_seek" ON "matches" USING btree ("seek_id");--> statement-breakpoint
CREATE INDEX "messages_conversation" ON "messages" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "outbound_next" ON "outbound" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "reminders_at" ON "reminders" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "transfers_journal" ON "transfers" USING btree ("journal");