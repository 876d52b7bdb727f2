CREATE TABLE "approvals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"decision" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	"credential_id" text COLLATE "C",
	"bounds" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "knowledge" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"public" bigint DEFAULT 0 NOT NULL,
	"vector" "bytea",
	"model" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meetings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"starts_at" bigint NOT NULL,
	"duration_minutes" bigint NOT NULL,
	"url" text COLLATE "C",
	"completed_by" text COLLATE "C",
	"completed_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"number" bigint NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"buyer_id" text COLLATE "C" NOT NULL,
	"seller_id" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"terms" text COLLATE "C" NOT NULL,
	"milestones" text NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"buyer_at" bigint,
	"seller_at" bigint,
	"buyer_pays" bigint DEFAULT 0 NOT NULL,
	"escalated_to" text COLLATE "C",
	"bound" text COLLATE "C",
	"replaced_by" text COLLATE "C",
	"deal_id" text COLLATE "C",
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"reasons" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "views" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C",
	"day" text COLLATE "C" NOT NULL,
	"n" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "autopilot" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "proposal_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "escalated_to" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "approvals_agent" ON "approvals" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "approvals_created" ON "approvals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "knowledge_agent" ON "knowledge" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "meetings_conversation" ON "meetings" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_number" ON "proposals" USING btree ("conversation_id","number");--> statement-breakpoint
CREATE INDEX "proposals_buyer" ON "proposals" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "proposals_seller" ON "proposals" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "turns_conversation" ON "turns" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "views_agent" ON "views" USING btree ("agent_id","day");