CREATE TABLE "model_calls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"prompt" text COLLATE "C" NOT NULL,
	"answer" text COLLATE "C" NOT NULL,
	"tokens" bigint NOT NULL,
	"cost_microcents" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "model_calls_agent" ON "model_calls" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "model_calls_expiry" ON "model_calls" USING btree ("expires_at");