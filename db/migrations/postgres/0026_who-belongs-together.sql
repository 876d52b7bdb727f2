CREATE TABLE "account_marks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"mark" text COLLATE "C" NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outside_identities" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"deals" bigint DEFAULT 0 NOT NULL,
	"reviews" bigint DEFAULT 0 NOT NULL,
	"rating_sum" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "track_records" ADD COLUMN "partners" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "track_records" ADD COLUMN "partners_rating" bigint;--> statement-breakpoint
CREATE INDEX "account_marks_account" ON "account_marks" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "account_marks_mark" ON "account_marks" USING btree ("mark");--> statement-breakpoint
CREATE UNIQUE INDEX "outside_identities_account" ON "outside_identities" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "partners_agent" ON "partners" USING btree ("agent_id");