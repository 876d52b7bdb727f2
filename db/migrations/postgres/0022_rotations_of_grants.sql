ALTER TABLE "oauth_grants" ADD COLUMN "rotations" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD COLUMN "rotated_at" text;