CREATE TABLE "deal_reviews" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"deal_id" text COLLATE "C" NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"about_id" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C",
	"rating" bigint NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"buyer_id" text COLLATE "C" NOT NULL,
	"seller_id" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"escrow_id" text COLLATE "C",
	"conversation_id" text COLLATE "C",
	"listing_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"completed_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dispute_evidence" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"dispute_id" text COLLATE "C" NOT NULL,
	"n" bigint NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	"statement" text COLLATE "C" NOT NULL,
	"links" text NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"escrow_id" text COLLATE "C" NOT NULL,
	"opened_by" text COLLATE "C" NOT NULL,
	"respondent" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"respond_by" bigint NOT NULL,
	"responded_at" bigint,
	"unreleased_cents" bigint NOT NULL,
	"proposal" text,
	"resolution" text,
	"evidence" bigint DEFAULT 0 NOT NULL,
	"evidence_hash" text COLLATE "C" DEFAULT '' NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "escrows" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"buyer_id" text COLLATE "C" NOT NULL,
	"buyer_account_id" text COLLATE "C" NOT NULL,
	"seller_id" text COLLATE "C" NOT NULL,
	"seller_account_id" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"total_cents" bigint NOT NULL,
	"released_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"deal_id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C",
	"origin" text COLLATE "C" NOT NULL,
	"terms" text NOT NULL,
	"auto_release_after_days" bigint,
	"expires_at" bigint,
	"dispute_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fundings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"processor" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"payment_id" text COLLATE "C",
	"url" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"taken_back_cents" bigint DEFAULT 0 NOT NULL,
	"withdrawable_at" bigint,
	"paid_at" bigint,
	"ended_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C",
	"amount_cents" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"settled_cents" bigint,
	"counted" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_days" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"journals" bigint NOT NULL,
	"transfers" bigint NOT NULL,
	"amount_cents" bigint NOT NULL,
	"journals_hash" text COLLATE "C" NOT NULL,
	"sums_hash" text COLLATE "C" NOT NULL,
	"previous" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_sums" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"day" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"balance_cents" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "milestones" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"escrow_id" text COLLATE "C" NOT NULL,
	"milestone_index" bigint NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"due_at" bigint,
	"status" text COLLATE "C" NOT NULL,
	"ended_by" text COLLATE "C",
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"deliverable" text,
	"backlink" text,
	"checked_at" bigint,
	"released_at" bigint,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payees" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"processor" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"details_submitted" bigint DEFAULT 0 NOT NULL,
	"payouts_enabled" bigint DEFAULT 0 NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"rail" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"needs_action" bigint DEFAULT 0 NOT NULL,
	"payee" text COLLATE "C" NOT NULL,
	"to_address" text COLLATE "C",
	"request_key" text COLLATE "C",
	"transfer_id" text COLLATE "C",
	"payout_id" text COLLATE "C",
	"submitted_at" bigint,
	"ended_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_checkouts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"plan" text COLLATE "C" NOT NULL,
	"processor" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"url" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"ended_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_terms" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"plan" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"processor" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"renews_at" bigint NOT NULL,
	"past_due_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processor_differences" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"day" text COLLATE "C" NOT NULL,
	"object_id" text COLLATE "C" NOT NULL,
	"problem" text COLLATE "C" NOT NULL,
	"ours_cents" bigint,
	"theirs_cents" bigint,
	"resolved_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processor_events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"object_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receivables" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"funding_id" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"repaid_cents" bigint DEFAULT 0 NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_objects" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"decision" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_charges" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"subscription_id" text COLLATE "C" NOT NULL,
	"seller_id" text COLLATE "C" NOT NULL,
	"period" bigint NOT NULL,
	"period_start" bigint NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"buyer_id" text COLLATE "C" NOT NULL,
	"buyer_account_id" text COLLATE "C" NOT NULL,
	"seller_id" text COLLATE "C" NOT NULL,
	"seller_account_id" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C",
	"title" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"interval" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"anchor_at" bigint NOT NULL,
	"next_period" bigint NOT NULL,
	"next_charge_at" bigint,
	"max_charges" bigint,
	"ends_at" bigint,
	"charges_made" bigint DEFAULT 0 NOT NULL,
	"failed_attempts" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "track_records" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"deals_completed" bigint DEFAULT 0 NOT NULL,
	"bands" text NOT NULL,
	"escrows_ended" bigint DEFAULT 0 NOT NULL,
	"disputes_against" bigint DEFAULT 0 NOT NULL,
	"disputes_settled" bigint DEFAULT 0 NOT NULL,
	"reviews" bigint DEFAULT 0 NOT NULL,
	"rating_sum" bigint DEFAULT 0 NOT NULL,
	"calls_charged" bigint DEFAULT 0 NOT NULL,
	"calls_failed" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"per_transaction_cents" bigint,
	"per_day_cents" bigint,
	"low_balance_cents" bigint,
	"low_told_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "budget" text;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD COLUMN "postings" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "debit_n" bigint;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "credit_n" bigint;--> statement-breakpoint
CREATE INDEX "deal_reviews_about" ON "deal_reviews" USING btree ("about_id");--> statement-breakpoint
CREATE INDEX "deal_reviews_listing" ON "deal_reviews" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "deals_buyer" ON "deals" USING btree ("buyer_id");--> statement-breakpoint
CREATE INDEX "deals_seller" ON "deals" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "deals_listing" ON "deals" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "dispute_evidence_dispute" ON "dispute_evidence" USING btree ("dispute_id");--> statement-breakpoint
CREATE INDEX "disputes_escrow" ON "disputes" USING btree ("escrow_id");--> statement-breakpoint
CREATE INDEX "escrows_buyer" ON "escrows" USING btree ("buyer_id");--> statement-breakpoint
CREATE INDEX "escrows_seller" ON "escrows" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "fundings_agent" ON "fundings" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "fundings_pending" ON "fundings" USING btree ("created_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "fundings_external" ON "fundings" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "fundings_payment" ON "fundings" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "holds_pending" ON "holds" USING btree ("expires_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "ledger_sums_account" ON "ledger_sums" USING btree ("account","day");--> statement-breakpoint
CREATE INDEX "milestones_escrow" ON "milestones" USING btree ("escrow_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payees_external" ON "payees" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "payouts_agent" ON "payouts" USING btree ("agent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_request" ON "payouts" USING btree ("agent_id","request_key");--> statement-breakpoint
CREATE INDEX "payouts_open" ON "payouts" USING btree ("created_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "payouts_external" ON "payouts" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payouts_transfer" ON "payouts" USING btree ("transfer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_checkouts_external" ON "plan_checkouts" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "plan_checkouts_pending" ON "plan_checkouts" USING btree ("created_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "plan_checkouts_account" ON "plan_checkouts" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_terms_external" ON "plan_terms" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "processor_events_expiry" ON "processor_events" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "receivables_account" ON "receivables" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "subscription_charges_subscription" ON "subscription_charges" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "subscription_charges_seller" ON "subscription_charges" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "subscriptions_buyer" ON "subscriptions" USING btree ("buyer_id");--> statement-breakpoint
CREATE INDEX "subscriptions_seller" ON "subscriptions" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "journals_created" ON "journals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "transfers_debit" ON "transfers" USING btree ("debit","debit_n") WHERE debit_n IS NOT NULL;--> statement-breakpoint
CREATE INDEX "transfers_credit" ON "transfers" USING btree ("credit","credit_n") WHERE credit_n IS NOT NULL;