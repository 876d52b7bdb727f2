ALTER TABLE `journals` ADD `subject_id` text;--> statement-breakpoint
ALTER TABLE `journals` ADD `digest` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `transfers` ADD `debit_after_cents` integer;--> statement-breakpoint
ALTER TABLE `transfers` ADD `credit_after_cents` integer;--> statement-breakpoint
CREATE INDEX `transfers_platform_debit` ON `transfers` (`debit`,`amount_cents`) WHERE debit_after_cents IS NULL;--> statement-breakpoint
CREATE INDEX `transfers_platform_credit` ON `transfers` (`credit`,`amount_cents`) WHERE credit_after_cents IS NULL;--> statement-breakpoint
DELETE FROM ledger_accounts WHERE guarded = 0;--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`balance_cents` integer NOT NULL,
	CONSTRAINT "ledger_accounts_covered" CHECK(balance_cents >= 0)
);
--> statement-breakpoint
INSERT INTO `__new_ledger_accounts`("id", "balance_cents") SELECT "id", "balance_cents" FROM `ledger_accounts`;--> statement-breakpoint
DROP TABLE `ledger_accounts`;--> statement-breakpoint
ALTER TABLE `__new_ledger_accounts` RENAME TO `ledger_accounts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;