DELETE FROM "idempotency" WHERE "status" >= 300 AND "body" LIKE '{"receipt":%';--> statement-breakpoint
ALTER TABLE "idempotency" RENAME COLUMN "headers" TO "notes";--> statement-breakpoint
ALTER TABLE "idempotency" RENAME COLUMN "body" TO "value";--> statement-breakpoint
ALTER TABLE "idempotency" ALTER COLUMN "status" SET DATA TYPE text COLLATE "C" USING CASE "status" WHEN 200 THEN 'ok' WHEN 201 THEN 'created' WHEN 202 THEN 'accepted' ELSE 'refused' END;--> statement-breakpoint
UPDATE "idempotency" SET "notes" = '{}' WHERE "notes" <> '{}';