CREATE TABLE "earned_days" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"day" bigint NOT NULL,
	"cents" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD COLUMN "held" text;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "earned" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallets" ADD COLUMN "limit_set_at" bigint;--> statement-breakpoint
CREATE INDEX "earned_days_agent" ON "earned_days" USING btree ("agent_id","day");--> statement-breakpoint
CREATE INDEX "escrows_seller_live" ON "escrows" USING btree ("seller_id") WHERE status IN ('active', 'disputed');--> statement-breakpoint
CREATE INDEX "transfers_earned" ON "transfers" USING btree ("credit","credit_n") WHERE earned = 1;
--> statement-breakpoint
UPDATE transfers SET earned = 1 WHERE credit LIKE 'wallet:%' AND EXISTS (
	SELECT 1 FROM journals j LEFT JOIN escrows e ON e.id = j.subject_id
	WHERE j.id = transfers.journal AND (j.kind = 'charge' OR 'wallet:' || e.seller_id = transfers.credit));
--> statement-breakpoint
INSERT INTO earned_days (id, agent_id, day, cents)
SELECT substr(credit, 8) || ':' || CAST(created_at / 86400000 AS TEXT), substr(credit, 8), created_at / 86400000, sum(amount_cents)
FROM transfers WHERE earned = 1 GROUP BY credit, created_at / 86400000;
--> statement-breakpoint
UPDATE ledger_accounts SET held = (
	SELECT json_agg(json_build_array(free_at, cents))::text FROM (
		SELECT max(f.withdrawable_at) AS free_at, sum(f.amount_cents - f.taken_back_cents) AS cents FROM fundings f
		WHERE 'wallet:' || f.agent_id = ledger_accounts.id AND f.status = 'paid' AND f.withdrawable_at > (extract(epoch FROM now()) * 1000)::bigint AND f.amount_cents > f.taken_back_cents
		GROUP BY f.withdrawable_at / 86400000 ORDER BY 1) AS days)
WHERE balance_cents > 0 AND balance_cents >= (
	SELECT sum(f.amount_cents - f.taken_back_cents) FROM fundings f WHERE 'wallet:' || f.agent_id = ledger_accounts.id AND f.status = 'paid' AND f.withdrawable_at > (extract(epoch FROM now()) * 1000)::bigint AND f.amount_cents > f.taken_back_cents);
--> statement-breakpoint
UPDATE ledger_accounts SET held = (
	SELECT '[[' || max(f.withdrawable_at) || ',' || ledger_accounts.balance_cents || ']]' FROM fundings f
	WHERE 'wallet:' || f.agent_id = ledger_accounts.id AND f.status = 'paid' AND f.withdrawable_at > (extract(epoch FROM now()) * 1000)::bigint AND f.amount_cents > f.taken_back_cents)
WHERE balance_cents > 0 AND balance_cents < (
	SELECT sum(f.amount_cents - f.taken_back_cents) FROM fundings f WHERE 'wallet:' || f.agent_id = ledger_accounts.id AND f.status = 'paid' AND f.withdrawable_at > (extract(epoch FROM now()) * 1000)::bigint AND f.amount_cents > f.taken_back_cents);
--> statement-breakpoint
UPDATE wallets SET limit_set_at = 0 WHERE per_transaction_cents IS NOT NULL OR per_day_cents IS NOT NULL;
