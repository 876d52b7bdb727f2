ALTER TABLE "couriers" RENAME TO "delivery_cursors";--> statement-breakpoint
UPDATE "reminders" SET "id" = 'site.recheck' || substr("id", 15), "operation" = 'site.recheck' WHERE "operation" = 'domain.recheck';
