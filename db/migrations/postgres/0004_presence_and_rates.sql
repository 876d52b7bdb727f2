CREATE TABLE "rates" (
	"caller" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"node" text COLLATE "C" NOT NULL,
	"n" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "rates_caller_at_node_pk" PRIMARY KEY("caller","at","node")
);
--> statement-breakpoint
ALTER TABLE "presence" ADD COLUMN "streams" text;--> statement-breakpoint
CREATE INDEX "rates_expiry" ON "rates" USING btree ("expires_at");