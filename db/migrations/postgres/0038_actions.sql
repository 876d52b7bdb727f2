CREATE TABLE "actions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"input" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"to_id" text COLLATE "C",
	"bound" text COLLATE "C" NOT NULL,
	"bound_cents" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"result" text,
	"asked_by" text COLLATE "C",
	"respond_by" bigint NOT NULL,
	"decided_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "actions_agent" ON "actions" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "actions_expiry" ON "actions" USING btree ("expires_at");