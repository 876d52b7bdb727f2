DROP INDEX `escrows_seller_live`;--> statement-breakpoint
CREATE INDEX `escrows_seller_live` ON `escrows` (`seller_id`) WHERE ended_at IS NULL;--> statement-breakpoint
ALTER TABLE `claims` ADD `holds` text;--> statement-breakpoint
CREATE UNIQUE INDEX `claims_holds` ON `claims` (`holds`);--> statement-breakpoint
ALTER TABLE `partners` ADD `cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `track_records` ADD `partners_weight` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE partners SET cents = coalesce((
	SELECT sum(d.amount_cents) FROM deals d JOIN escrows e ON e.id = d.escrow_id
	WHERE d.status = 'completed' AND d.amount_cents >= 100
		AND ((d.buyer_id = partners.agent_id AND e.seller_account_id = partners.account_id)
			OR (d.seller_id = partners.agent_id AND e.buyer_account_id = partners.account_id))
		AND NOT EXISTS (SELECT 1 FROM milestones m WHERE m.escrow_id = e.id AND m.ended_by = 'dispute')), 0)
WHERE deals > 0;
--> statement-breakpoint
UPDATE track_records SET partners_weight = 100 * partners WHERE partners > 0;
