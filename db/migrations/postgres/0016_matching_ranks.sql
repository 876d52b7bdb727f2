CREATE TABLE "tastes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"signals" text NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "template_words" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"shares" text NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
DROP INDEX "matches_offer";--> statement-breakpoint
DROP INDEX "matches_seek";--> statement-breakpoint
ALTER TABLE "listing_vectors" ADD COLUMN "card_type" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "listing_vectors" ADD COLUMN "terms" "bytea";--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "offer_best" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "seek_best" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "ended_by" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "matches_offer" ON "matches" USING btree ("offer_id","offer_best","score_ppm");--> statement-breakpoint
CREATE INDEX "matches_seek" ON "matches" USING btree ("seek_id","seek_best","score_ppm");