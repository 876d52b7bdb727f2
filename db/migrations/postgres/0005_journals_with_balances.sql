ALTER TABLE "journals" ADD COLUMN "subject_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "journals" ADD COLUMN "digest" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "debit_after_cents" bigint;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "credit_after_cents" bigint;--> statement-breakpoint
CREATE INDEX "transfers_platform_debit" ON "transfers" USING btree ("debit","amount_cents") WHERE debit_after_cents IS NULL;--> statement-breakpoint
CREATE INDEX "transfers_platform_credit" ON "transfers" USING btree ("credit","amount_cents") WHERE credit_after_cents IS NULL;--> statement-breakpoint
DELETE FROM ledger_accounts WHERE guarded = 0;--> statement-breakpoint
ALTER TABLE "ledger_accounts" DROP COLUMN "guarded";--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_covered" CHECK (balance_cents >= 0);