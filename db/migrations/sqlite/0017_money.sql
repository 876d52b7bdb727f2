CREATE TABLE `deal_reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`deal_id` text NOT NULL,
	`by_id` text NOT NULL,
	`about_id` text NOT NULL,
	`listing_id` text,
	`rating` integer NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deal_reviews_about` ON `deal_reviews` (`about_id`);--> statement-breakpoint
CREATE INDEX `deal_reviews_listing` ON `deal_reviews` (`listing_id`);--> statement-breakpoint
CREATE TABLE `deals` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`escrow_id` text,
	`conversation_id` text,
	`listing_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deals_buyer` ON `deals` (`buyer_id`);--> statement-breakpoint
CREATE INDEX `deals_seller` ON `deals` (`seller_id`);--> statement-breakpoint
CREATE INDEX `deals_listing` ON `deals` (`listing_id`);--> statement-breakpoint
CREATE TABLE `dispute_evidence` (
	`id` text PRIMARY KEY NOT NULL,
	`dispute_id` text NOT NULL,
	`n` integer NOT NULL,
	`by` text NOT NULL,
	`statement` text NOT NULL,
	`links` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dispute_evidence_dispute` ON `dispute_evidence` (`dispute_id`);--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`escrow_id` text NOT NULL,
	`opened_by` text NOT NULL,
	`respondent` text NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`respond_by` integer NOT NULL,
	`responded_at` integer,
	`unreleased_cents` integer NOT NULL,
	`proposal` text,
	`resolution` text,
	`evidence` integer DEFAULT 0 NOT NULL,
	`evidence_hash` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `disputes_escrow` ON `disputes` (`escrow_id`);--> statement-breakpoint
CREATE TABLE `escrows` (
	`id` text PRIMARY KEY NOT NULL,
	`buyer_id` text NOT NULL,
	`buyer_account_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`seller_account_id` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`total_cents` integer NOT NULL,
	`released_cents` integer DEFAULT 0 NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`deal_id` text NOT NULL,
	`conversation_id` text,
	`origin` text NOT NULL,
	`terms` text NOT NULL,
	`auto_release_after_days` integer,
	`expires_at` integer,
	`dispute_id` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `escrows_buyer` ON `escrows` (`buyer_id`);--> statement-breakpoint
CREATE INDEX `escrows_seller` ON `escrows` (`seller_id`);--> statement-breakpoint
CREATE TABLE `fundings` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`processor` text NOT NULL,
	`external_id` text,
	`payment_id` text,
	`url` text,
	`status` text NOT NULL,
	`reason` text,
	`taken_back_cents` integer DEFAULT 0 NOT NULL,
	`withdrawable_at` integer,
	`paid_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `fundings_agent` ON `fundings` (`agent_id`);--> statement-breakpoint
CREATE INDEX `fundings_pending` ON `fundings` (`created_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `fundings_external` ON `fundings` (`external_id`);--> statement-breakpoint
CREATE INDEX `fundings_payment` ON `fundings` (`payment_id`);--> statement-breakpoint
CREATE TABLE `holds` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`settled_cents` integer,
	`counted` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `holds_pending` ON `holds` (`expires_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `ledger_days` (
	`id` text PRIMARY KEY NOT NULL,
	`journals` integer NOT NULL,
	`transfers` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`journals_hash` text NOT NULL,
	`sums_hash` text NOT NULL,
	`previous` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ledger_sums` (
	`id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`account` text NOT NULL,
	`balance_cents` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ledger_sums_account` ON `ledger_sums` (`account`,`day`);--> statement-breakpoint
CREATE TABLE `milestones` (
	`id` text PRIMARY KEY NOT NULL,
	`escrow_id` text NOT NULL,
	`milestone_index` integer NOT NULL,
	`title` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`due_at` integer,
	`status` text NOT NULL,
	`ended_by` text,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`deliverable` text,
	`backlink` text,
	`checked_at` integer,
	`released_at` integer,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `milestones_escrow` ON `milestones` (`escrow_id`);--> statement-breakpoint
CREATE TABLE `payees` (
	`id` text PRIMARY KEY NOT NULL,
	`processor` text NOT NULL,
	`external_id` text,
	`details_submitted` integer DEFAULT 0 NOT NULL,
	`payouts_enabled` integer DEFAULT 0 NOT NULL,
	`agent_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payees_external` ON `payees` (`external_id`);--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`rail` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`needs_action` integer DEFAULT 0 NOT NULL,
	`payee` text NOT NULL,
	`to_address` text,
	`request_key` text,
	`transfer_id` text,
	`payout_id` text,
	`submitted_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payouts_agent` ON `payouts` (`agent_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_request` ON `payouts` (`agent_id`,`request_key`);--> statement-breakpoint
CREATE INDEX `payouts_open` ON `payouts` (`created_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `payouts_external` ON `payouts` (`payout_id`);--> statement-breakpoint
CREATE INDEX `payouts_transfer` ON `payouts` (`transfer_id`);--> statement-breakpoint
CREATE TABLE `plan_checkouts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`plan` text NOT NULL,
	`processor` text NOT NULL,
	`external_id` text,
	`url` text,
	`status` text NOT NULL,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plan_checkouts_external` ON `plan_checkouts` (`external_id`);--> statement-breakpoint
CREATE INDEX `plan_checkouts_pending` ON `plan_checkouts` (`created_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `plan_checkouts_account` ON `plan_checkouts` (`account_id`);--> statement-breakpoint
CREATE TABLE `plan_terms` (
	`id` text PRIMARY KEY NOT NULL,
	`plan` text NOT NULL,
	`status` text NOT NULL,
	`processor` text NOT NULL,
	`external_id` text NOT NULL,
	`renews_at` integer NOT NULL,
	`past_due_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `plan_terms_external` ON `plan_terms` (`external_id`);--> statement-breakpoint
CREATE TABLE `processor_differences` (
	`id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`object_id` text NOT NULL,
	`problem` text NOT NULL,
	`ours_cents` integer,
	`theirs_cents` integer,
	`resolved_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `processor_events` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`object_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `processor_events_expiry` ON `processor_events` (`expires_at`);--> statement-breakpoint
CREATE TABLE `receivables` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`funding_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`repaid_cents` integer DEFAULT 0 NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `receivables_account` ON `receivables` (`account_id`);--> statement-breakpoint
CREATE TABLE `sandbox_objects` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`decision` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscription_charges` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`period` integer NOT NULL,
	`period_start` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `subscription_charges_subscription` ON `subscription_charges` (`subscription_id`);--> statement-breakpoint
CREATE INDEX `subscription_charges_seller` ON `subscription_charges` (`seller_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`buyer_id` text NOT NULL,
	`buyer_account_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`seller_account_id` text NOT NULL,
	`listing_id` text,
	`title` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`interval` text NOT NULL,
	`status` text NOT NULL,
	`anchor_at` integer NOT NULL,
	`next_period` integer NOT NULL,
	`next_charge_at` integer,
	`max_charges` integer,
	`ends_at` integer,
	`charges_made` integer DEFAULT 0 NOT NULL,
	`failed_attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `subscriptions_buyer` ON `subscriptions` (`buyer_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_seller` ON `subscriptions` (`seller_id`);--> statement-breakpoint
CREATE TABLE `track_records` (
	`id` text PRIMARY KEY NOT NULL,
	`deals_completed` integer DEFAULT 0 NOT NULL,
	`bands` text NOT NULL,
	`escrows_ended` integer DEFAULT 0 NOT NULL,
	`disputes_against` integer DEFAULT 0 NOT NULL,
	`disputes_settled` integer DEFAULT 0 NOT NULL,
	`reviews` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`calls_charged` integer DEFAULT 0 NOT NULL,
	`calls_failed` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`per_transaction_cents` integer,
	`per_day_cents` integer,
	`low_balance_cents` integer,
	`low_told_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `budget` text;--> statement-breakpoint
ALTER TABLE `ledger_accounts` ADD `postings` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transfers` ADD `debit_n` integer;--> statement-breakpoint
ALTER TABLE `transfers` ADD `credit_n` integer;--> statement-breakpoint
CREATE INDEX `transfers_debit` ON `transfers` (`debit`,`debit_n`) WHERE debit_n IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transfers_credit` ON `transfers` (`credit`,`credit_n`) WHERE credit_n IS NOT NULL;--> statement-breakpoint
CREATE INDEX `journals_created` ON `journals` (`created_at`);