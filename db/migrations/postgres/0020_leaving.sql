CREATE TABLE "admin_acts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C",
	"reason" text COLLATE "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "admin_at" bigint;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deleted_at" bigint;--> statement-breakpoint
CREATE INDEX "accounts_admin" ON "accounts" USING btree ("admin_at") WHERE admin_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "reviews_reporter" ON "reviews" USING btree ("reporter_id");