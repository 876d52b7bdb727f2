PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_idempotency` (
	`id` text PRIMARY KEY NOT NULL,
	`request_hash` text NOT NULL,
	`status` text NOT NULL,
	`notes` text NOT NULL,
	`value` text NOT NULL,
	`sealed` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_idempotency`("id", "request_hash", "status", "notes", "value", "sealed", "expires_at") SELECT "id", "request_hash", CASE "status" WHEN 200 THEN 'ok' WHEN 201 THEN 'created' WHEN 202 THEN 'accepted' ELSE 'refused' END, '{}', "body", "sealed", "expires_at" FROM `idempotency` WHERE "status" < 300 OR "body" NOT LIKE '{"receipt":%';--> statement-breakpoint
DROP TABLE `idempotency`;--> statement-breakpoint
ALTER TABLE `__new_idempotency` RENAME TO `idempotency`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `idempotency_expiry` ON `idempotency` (`expires_at`);