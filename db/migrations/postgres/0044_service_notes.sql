CREATE TABLE "service_notes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_days" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_sums" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;