CREATE TABLE "demand_quotes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"price_cents" bigint NOT NULL,
	"message" text COLLATE "C",
	"delivery_days" bigint,
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "demand_requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"labels" text NOT NULL,
	"budget_cents" bigint NOT NULL,
	"closes_at" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"woken" text NOT NULL,
	"quotes" bigint DEFAULT 0 NOT NULL,
	"awarded_quote_id" text COLLATE "C",
	"conversation_id" text COLLATE "C",
	"deal_id" text COLLATE "C",
	"ended_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "demand_quotes_request" ON "demand_quotes" USING btree ("request_id","agent_id");--> statement-breakpoint
CREATE INDEX "demand_quotes_agent" ON "demand_quotes" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "demand_requests_closes" ON "demand_requests" USING btree ("status","closes_at","id");--> statement-breakpoint
CREATE INDEX "demand_requests_agent" ON "demand_requests" USING btree ("agent_id","id");