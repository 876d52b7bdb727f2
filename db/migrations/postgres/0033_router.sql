CREATE TABLE "providers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"capability" text COLLATE "C" NOT NULL,
	"endpoint_url" text COLLATE "C" NOT NULL,
	"price_cents" bigint NOT NULL,
	"active" bigint NOT NULL,
	"required_fields" text,
	"accepted_fields" text,
	"secret" text COLLATE "C" NOT NULL,
	"streak" bigint DEFAULT 0 NOT NULL,
	"suspended_at" bigint,
	"last_error" text COLLATE "C",
	"attempts" bigint DEFAULT 0 NOT NULL,
	"served" bigint DEFAULT 0 NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"latency_sum_ms" bigint DEFAULT 0 NOT NULL,
	"weighed_attempts" bigint DEFAULT 0 NOT NULL,
	"weighed_served" bigint DEFAULT 0 NOT NULL,
	"p50_ms" bigint,
	"p95_ms" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "router_attempts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"call_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"provider_agent_id" text COLLATE "C" NOT NULL,
	"provider_account_id" text COLLATE "C" NOT NULL,
	"caller_account_id" text COLLATE "C" NOT NULL,
	"capability" text COLLATE "C" NOT NULL,
	"host" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"http_status" bigint,
	"latency_ms" bigint,
	"price_cents" bigint DEFAULT 0 NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"counted" bigint DEFAULT 1 NOT NULL,
	"gathered_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "router_calls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"capability" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"claim" text COLLATE "C",
	"request_hash" text COLLATE "C",
	"claim_until" bigint,
	"candidates" text NOT NULL,
	"attempts" text NOT NULL,
	"hold_id" text COLLATE "C",
	"provider_agent_id" text COLLATE "C",
	"price_cents" bigint DEFAULT 0 NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"usage" text COLLATE "C",
	"latency_ms" bigint,
	"deadline_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "router_results" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "providers_offer" ON "providers" USING btree ("agent_id","capability");--> statement-breakpoint
CREATE INDEX "providers_capability" ON "providers" USING btree ("capability","price_cents");--> statement-breakpoint
CREATE INDEX "providers_account" ON "providers" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "router_attempts_provider" ON "router_attempts" USING btree ("provider_id","id");--> statement-breakpoint
CREATE INDEX "router_attempts_earner" ON "router_attempts" USING btree ("provider_agent_id","id");--> statement-breakpoint
CREATE INDEX "router_attempts_fresh" ON "router_attempts" USING btree ("provider_id") WHERE gathered_at IS NULL;--> statement-breakpoint
CREATE INDEX "router_attempts_unanswered" ON "router_attempts" USING btree ("created_at") WHERE http_status IS NULL;--> statement-breakpoint
CREATE INDEX "router_attempts_expiry" ON "router_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "router_calls_claim" ON "router_calls" USING btree ("claim");--> statement-breakpoint
CREATE INDEX "router_calls_agent" ON "router_calls" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "router_calls_expiry" ON "router_calls" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "router_results_expiry" ON "router_results" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "track_records" DROP COLUMN "calls_charged";--> statement-breakpoint
ALTER TABLE "track_records" DROP COLUMN "calls_failed";