-- oldest release beside it: 0.2.0
CREATE TABLE `account_marks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`mark` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_marks_account` ON `account_marks` (`account_id`);--> statement-breakpoint
CREATE INDEX `account_marks_mark` ON `account_marks` (`mark`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text,
	`plan` text NOT NULL,
	`language` text,
	`seen_language` text,
	`provisional` integer DEFAULT 0 NOT NULL,
	`admin_at` integer,
	`deleted_at` integer,
	`suspended_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email` ON `accounts` (`email`);--> statement-breakpoint
CREATE INDEX `accounts_live` ON `accounts` (`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `accounts_suspended` ON `accounts` (`id`) WHERE suspended_at IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `accounts_admin` ON `accounts` (`admin_at`) WHERE admin_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `actions` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`operation` text NOT NULL,
	`input` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`to_id` text,
	`bound` text NOT NULL,
	`bound_cents` integer NOT NULL,
	`on_timeout` text,
	`status` text NOT NULL,
	`result` text,
	`asked_by` text,
	`respond_by` integer NOT NULL,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `actions_agent` ON `actions` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `actions_expiry` ON `actions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `admin_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`by_id` text NOT NULL,
	`operation` text NOT NULL,
	`subject_id` text,
	`reason` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`handle` text NOT NULL,
	`display_name` text NOT NULL,
	`kind` text NOT NULL,
	`headline` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`offers` text NOT NULL,
	`seeks` text NOT NULL,
	`geo` text,
	`industry` text NOT NULL,
	`visibility` text NOT NULL,
	`bounds` text NOT NULL,
	`availability` text,
	`social_links` text NOT NULL,
	`wake` text NOT NULL,
	`public_key` text,
	`fingerprint` text,
	`key_pair` text,
	`provisional` integer DEFAULT 0 NOT NULL,
	`verified_at` integer,
	`intake_at` integer,
	`autopilot` integer DEFAULT 0 NOT NULL,
	`deactivated_at` integer,
	`trust_score` integer DEFAULT 0 NOT NULL,
	`credentials` text NOT NULL,
	`failing_credentials` text,
	`deals_completed` integer DEFAULT 0 NOT NULL,
	`dispute_rate` integer,
	`a2a_url` text,
	`a2a_failing_since` integer,
	`a2a_card` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `agents_account` ON `agents` (`account_id`);--> statement-breakpoint
CREATE INDEX `agents_handle` ON `agents` (`handle`);--> statement-breakpoint
CREATE INDEX `agents_live` ON `agents` (`id`) WHERE deactivated_at IS NULL;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`agent_id` text,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`successor_id` text,
	`used_at` integer,
	`budget` text,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`decision` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`by` text NOT NULL,
	`credential_id` text,
	`bounds` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `approvals_agent` ON `approvals` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_created` ON `approvals` (`created_at`);--> statement-breakpoint
CREATE TABLE `blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`blocked_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blocks_agent` ON `blocks` (`agent_id`,`blocked_id`);--> statement-breakpoint
CREATE INDEX `blocks_blocked` ON `blocks` (`blocked_id`);--> statement-breakpoint
CREATE TABLE `challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `challenges_expiry` ON `challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `claims` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`provider` text NOT NULL,
	`external_id` text NOT NULL,
	`verified_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`failing_since` integer,
	`holds` text,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `claims_holds` ON `claims` (`holds`);--> statement-breakpoint
CREATE UNIQUE INDEX `claims_external` ON `claims` (`provider`,`external_id`);--> statement-breakpoint
CREATE INDEX `claims_agent` ON `claims` (`agent_id`);--> statement-breakpoint
CREATE TABLE `codes` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`data` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`sent_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `codes_expiry` ON `codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`opener_id` text NOT NULL,
	`other_id` text NOT NULL,
	`match_id` text,
	`deal_id` text,
	`proposal_id` text,
	`escalated_to` text,
	`phase` text NOT NULL,
	`status` text NOT NULL,
	`subject` text NOT NULL,
	`last_message_id` text,
	`last_n` integer DEFAULT 0 NOT NULL,
	`opener_sent` integer DEFAULT 0 NOT NULL,
	`other_sent` integer DEFAULT 0 NOT NULL,
	`opener_seen` integer DEFAULT 0 NOT NULL,
	`other_seen` integer DEFAULT 0 NOT NULL,
	`waits_for` text,
	`closed_reason` text,
	`opener_blocks` integer DEFAULT 0 NOT NULL,
	`other_blocks` integer DEFAULT 0 NOT NULL,
	`opener_tasks` integer DEFAULT 0 NOT NULL,
	`other_tasks` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversations_opener` ON `conversations` (`opener_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_other` ON `conversations` (`other_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_pair` ON `conversations` (`other_id`,`opener_id`);--> statement-breakpoint
CREATE INDEX `conversations_waiting` ON `conversations` (`waits_for`,`last_message_id`) WHERE waits_for IS NOT NULL AND status IN ('open', 'escalated');--> statement-breakpoint
CREATE INDEX `conversations_opener_tasks` ON `conversations` (`opener_id`) WHERE opener_tasks + other_tasks > 0;--> statement-breakpoint
CREATE INDEX `conversations_other_tasks` ON `conversations` (`other_id`) WHERE opener_tasks + other_tasks > 0;--> statement-breakpoint
CREATE TABLE `counters` (
	`id` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `counters_expiry` ON `counters` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX `deal_reviews_about` ON `deal_reviews` (`about_id`,`created_at`);--> statement-breakpoint
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
CREATE INDEX `deals_buyer` ON `deals` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `deals_seller` ON `deals` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `deals_listing` ON `deals` (`listing_id`,`id`);--> statement-breakpoint
CREATE INDEX `deals_conversation` ON `deals` (`conversation_id`);--> statement-breakpoint
CREATE TABLE `demand_quotes` (
	`id` text PRIMARY KEY NOT NULL,
	`request_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`price_cents` integer NOT NULL,
	`message` text,
	`delivery_days` integer,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `demand_quotes_request` ON `demand_quotes` (`request_id`,`agent_id`);--> statement-breakpoint
CREATE INDEX `demand_quotes_agent` ON `demand_quotes` (`agent_id`,`id`);--> statement-breakpoint
CREATE TABLE `demand_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`headline` text NOT NULL,
	`description` text NOT NULL,
	`labels` text NOT NULL,
	`budget_cents` integer NOT NULL,
	`closes_at` integer NOT NULL,
	`status` text NOT NULL,
	`woken` text NOT NULL,
	`quotes` integer DEFAULT 0 NOT NULL,
	`awarded_quote_id` text,
	`conversation_id` text,
	`deal_id` text,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `demand_requests_closes` ON `demand_requests` (`status`,`closes_at`,`id`);--> statement-breakpoint
CREATE INDEX `demand_requests_agent` ON `demand_requests` (`agent_id`,`id`);--> statement-breakpoint
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
CREATE INDEX `disputes_escrow` ON `disputes` (`escrow_id`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_live` ON `disputes` (`id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `earlier_deliverables` (
	`id` text PRIMARY KEY NOT NULL,
	`escrow_id` text NOT NULL,
	`milestone_index` integer NOT NULL,
	`n` integer NOT NULL,
	`deliverable` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `earlier_deliverables_escrow` ON `earlier_deliverables` (`escrow_id`);--> statement-breakpoint
CREATE TABLE `earned_days` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`day` integer NOT NULL,
	`cents` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `earned_days_agent` ON `earned_days` (`agent_id`,`day`);--> statement-breakpoint
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
CREATE INDEX `escrows_buyer` ON `escrows` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `escrows_seller` ON `escrows` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `escrows_buyer_open` ON `escrows` (`buyer_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `escrows_seller_live` ON `escrows` (`seller_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `escrows_held` ON `escrows` (`created_at`,`total_cents`,`released_cents`,`refunded_cents`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`seq` integer NOT NULL,
	`kind` text NOT NULL,
	`handle` text NOT NULL,
	`data` text NOT NULL,
	`subject_id` text,
	`respond_by` integer,
	`awaiting` integer DEFAULT 0 NOT NULL,
	`answered` text,
	`created_at` integer NOT NULL,
	`trace` text,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_seq` ON `events` (`agent_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_awaiting` ON `events` (`agent_id`,`subject_id`,`kind`,`respond_by`) WHERE awaiting = 1;--> statement-breakpoint
CREATE TABLE `feed_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`change` text NOT NULL,
	`listing_id` text NOT NULL,
	`slug` text NOT NULL,
	`headline` text NOT NULL,
	`labels` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feed_entries_agent` ON `feed_entries` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `feed_entries_expiry` ON `feed_entries` (`expires_at`);--> statement-breakpoint
CREATE TABLE `forwards` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`message_id` text NOT NULL,
	`task_id` text,
	`url` text NOT NULL,
	`dialect` text NOT NULL,
	`binding` text NOT NULL,
	`tenant` text,
	`remote_task_id` text,
	`remote_context_id` text,
	`state` text NOT NULL,
	`answer` text,
	`answer_id` text,
	`looks` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `forwards_thread` ON `forwards` (`conversation_id`,`id`);--> statement-breakpoint
CREATE INDEX `forwards_task` ON `forwards` (`task_id`);--> statement-breakpoint
CREATE INDEX `forwards_answer` ON `forwards` (`answer_id`);--> statement-breakpoint
CREATE INDEX `forwards_expiry` ON `forwards` (`expires_at`);--> statement-breakpoint
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
CREATE INDEX `fundings_agent` ON `fundings` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `fundings_paid` ON `fundings` (`paid_at`,`id`) WHERE paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `fundings_pending` ON `fundings` (`created_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `fundings_external` ON `fundings` (`external_id`);--> statement-breakpoint
CREATE INDEX `fundings_payment` ON `fundings` (`payment_id`);--> statement-breakpoint
CREATE TABLE `handles` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`agent_id` text,
	`email` text,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `handles_agent` ON `handles` (`agent_id`);--> statement-breakpoint
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
CREATE TABLE `idempotency` (
	`id` text PRIMARY KEY NOT NULL,
	`request_hash` text NOT NULL,
	`status` text NOT NULL,
	`notes` text NOT NULL,
	`value` text NOT NULL,
	`sealed` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_expiry` ON `idempotency` (`expires_at`);--> statement-breakpoint
CREATE TABLE `inbound_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text,
	`conversation_id` text,
	`message_id` text,
	`outcome` text NOT NULL,
	`authentication` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inbound_mails_expiry` ON `inbound_mails` (`expires_at`);--> statement-breakpoint
CREATE TABLE `inbox_reads` (
	`id` text PRIMARY KEY NOT NULL,
	`ranges` text NOT NULL,
	`noticed` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `inboxes` (
	`id` text PRIMARY KEY NOT NULL,
	`last_seq` integer NOT NULL,
	`delivered_seq` integer DEFAULT 0 NOT NULL,
	`behind` integer DEFAULT 0 NOT NULL,
	`lease_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inboxes_behind` ON `inboxes` (`id`) WHERE behind = 1;--> statement-breakpoint
CREATE TABLE `installs` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`by` text NOT NULL,
	`hash` text NOT NULL,
	`email` text,
	`bound` integer NOT NULL,
	`used_by` text,
	`used_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`hash`);--> statement-breakpoint
CREATE INDEX `invitations_email` ON `invitations` (`email`);--> statement-breakpoint
CREATE INDEX `invitations_account` ON `invitations` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `journals` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text,
	`digest` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journals_created` ON `journals` (`created_at`);--> statement-breakpoint
CREATE TABLE `key_uses` (
	`id` text PRIMARY KEY NOT NULL,
	`last_used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `knowledge` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`public` integer DEFAULT 0 NOT NULL,
	`vector` blob,
	`model` text,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `knowledge_agent` ON `knowledge` (`agent_id`,`id`);--> statement-breakpoint
CREATE TABLE `labels` (
	`id` text PRIMARY KEY NOT NULL,
	`uses` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `labels_uses` ON `labels` (`uses`,`id`);--> statement-breakpoint
CREATE TABLE `ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`balance_cents` integer NOT NULL,
	`postings` integer DEFAULT 0 NOT NULL,
	`held` text,
	CONSTRAINT "ledger_accounts_covered" CHECK(balance_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE `ledger_days` (
	`id` text PRIMARY KEY NOT NULL,
	`journals` integer NOT NULL,
	`transfers` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`journals_hash` text NOT NULL,
	`sums_hash` text NOT NULL,
	`approvals_hash` text,
	`previous` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ledger_sums` (
	`id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`account` text NOT NULL,
	`balance_cents` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ledger_sums_account` ON `ledger_sums` (`account`,`day`);--> statement-breakpoint
CREATE TABLE `listing_vectors` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`side` text NOT NULL,
	`labels` text NOT NULL,
	`model` text NOT NULL,
	`vector` blob NOT NULL,
	`card_type` text,
	`terms` blob
);
--> statement-breakpoint
CREATE INDEX `listing_vectors_model` ON `listing_vectors` (`model`);--> statement-breakpoint
CREATE TABLE `listings` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`slug` text NOT NULL,
	`card_type` text NOT NULL,
	`direction` text NOT NULL,
	`headline` text NOT NULL,
	`description` text NOT NULL,
	`geo` text,
	`labels` text NOT NULL,
	`subcategory` text,
	`price_cents` integer,
	`budget_cents` integer,
	`price_period` text DEFAULT 'once' NOT NULL,
	`currency` text DEFAULT 'USD' NOT NULL,
	`per_week_cents` integer,
	`per_month_cents` integer,
	`conditions` text NOT NULL,
	`goals` text,
	`fields` text NOT NULL,
	`status` text NOT NULL,
	`origin` text NOT NULL,
	`verified_attributes` text,
	`measured_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listings_slug` ON `listings` (`agent_id`,`slug`);--> statement-breakpoint
CREATE INDEX `listings_agent` ON `listings` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `listings_status` ON `listings` (`agent_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `listings_headline` ON `listings` (`agent_id`,`headline`,`direction`,`id`);--> statement-breakpoint
CREATE INDEX `listings_account` ON `listings` (`account_id`);--> statement-breakpoint
CREATE TABLE `mail_marks` (
	`id` text PRIMARY KEY NOT NULL,
	`seen` integer NOT NULL,
	`at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `matches` (
	`id` text PRIMARY KEY NOT NULL,
	`match_id` text NOT NULL,
	`offer_id` text NOT NULL,
	`seek_id` text NOT NULL,
	`offer_agent_id` text NOT NULL,
	`seek_agent_id` text NOT NULL,
	`offer_headline` text NOT NULL,
	`seek_headline` text NOT NULL,
	`score_ppm` integer NOT NULL,
	`reasons` text NOT NULL,
	`status` text NOT NULL,
	`approved_by` text NOT NULL,
	`saved_by` text NOT NULL,
	`shown_to` text NOT NULL,
	`offer_visible` integer DEFAULT 1 NOT NULL,
	`seek_visible` integer DEFAULT 1 NOT NULL,
	`offer_best` integer DEFAULT 1 NOT NULL,
	`seek_best` integer DEFAULT 1 NOT NULL,
	`ended_by` text,
	`feedback` text,
	`conversation_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `matches_match_id` ON `matches` (`match_id`);--> statement-breakpoint
CREATE INDEX `matches_offer_agent` ON `matches` (`offer_agent_id`,`score_ppm`,`id`);--> statement-breakpoint
CREATE INDEX `matches_seek_agent` ON `matches` (`seek_agent_id`,`score_ppm`,`id`);--> statement-breakpoint
CREATE INDEX `matches_offer_newest` ON `matches` (`offer_agent_id`,`match_id`);--> statement-breakpoint
CREATE INDEX `matches_seek_newest` ON `matches` (`seek_agent_id`,`match_id`);--> statement-breakpoint
CREATE INDEX `matches_pair` ON `matches` (`offer_agent_id`,`seek_agent_id`);--> statement-breakpoint
CREATE INDEX `matches_offer` ON `matches` (`offer_id`,`offer_best`,`score_ppm`);--> statement-breakpoint
CREATE INDEX `matches_seek` ON `matches` (`seek_id`,`seek_best`,`score_ppm`);--> statement-breakpoint
CREATE TABLE `meetings` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`by_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`duration_minutes` integer NOT NULL,
	`url` text,
	`completed_by` text,
	`completed_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `meetings_conversation` ON `meetings` (`conversation_id`,`id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`n` integer DEFAULT 0 NOT NULL,
	`sender_id` text NOT NULL,
	`sender_handle` text NOT NULL,
	`kind` text NOT NULL,
	`content` text NOT NULL,
	`note` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_n` ON `messages` (`conversation_id`,`n`);--> statement-breakpoint
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
CREATE TABLE `model_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`purpose` text NOT NULL,
	`model` text NOT NULL,
	`prompt` text NOT NULL,
	`answer` text NOT NULL,
	`tokens` integer NOT NULL,
	`cost_microcents` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `model_calls_agent` ON `model_calls` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `model_calls_expiry` ON `model_calls` (`expires_at`);--> statement-breakpoint
CREATE TABLE `notification_settings` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`digest` text NOT NULL,
	`push` text DEFAULT 'important' NOT NULL,
	`quiet_hours` text,
	`mute` text NOT NULL,
	`digested_until` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `oauth_clients_expiry` ON `oauth_clients` (`expires_at`);--> statement-breakpoint
CREATE TABLE `oauth_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`agent_id` text,
	`client_id` text NOT NULL,
	`client_kind` text NOT NULL,
	`client_name` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`resource` text NOT NULL,
	`scopes` text NOT NULL,
	`challenge` text NOT NULL,
	`code_hash` text NOT NULL,
	`redeemed_at` integer,
	`rotations` integer DEFAULT 0 NOT NULL,
	`rotated_at` text,
	`used_at` integer,
	`created_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `oauth_grants_account` ON `oauth_grants` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `oauth_grants_expiry` ON `oauth_grants` (`expires_at`);--> statement-breakpoint
CREATE TABLE `outbound` (
	`id` text PRIMARY KEY NOT NULL,
	`channel` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `outbound_next` ON `outbound` (`next_at`);--> statement-breakpoint
CREATE TABLE `outside_identities` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outside_identities_account` ON `outside_identities` (`account_id`);--> statement-breakpoint
CREATE TABLE `partners` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`deals` integer DEFAULT 0 NOT NULL,
	`cents` integer DEFAULT 0 NOT NULL,
	`reviews` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `partners_agent` ON `partners` (`agent_id`,`deals`,`id`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backed_up` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	`copied_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_account` ON `passkeys` (`account_id`);--> statement-breakpoint
CREATE TABLE `payees` (
	`id` text PRIMARY KEY NOT NULL,
	`processor` text NOT NULL,
	`external_id` text,
	`details_submitted` integer DEFAULT 0 NOT NULL,
	`payouts_enabled` integer DEFAULT 0 NOT NULL,
	`told_of` text,
	`n` integer DEFAULT 0 NOT NULL,
	`bank` text,
	`bank_mark` text,
	`connected_by` text,
	`connected_at` integer,
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
	`bank` text,
	`request_key` text,
	`transfer_id` text,
	`payout_id` text,
	`submitted_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payouts_agent` ON `payouts` (`agent_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_request` ON `payouts` (`agent_id`,`request_key`);--> statement-breakpoint
CREATE INDEX `payouts_open` ON `payouts` (`created_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `payouts_external` ON `payouts` (`payout_id`);--> statement-breakpoint
CREATE INDEX `payouts_transfer` ON `payouts` (`transfer_id`);--> statement-breakpoint
CREATE TABLE `plan_checkouts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`plan` text NOT NULL,
	`price_cents` integer NOT NULL,
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
CREATE INDEX `plan_checkouts_account` ON `plan_checkouts` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `plan_checkouts_status` ON `plan_checkouts` (`status`,`id`);--> statement-breakpoint
CREATE TABLE `plan_terms` (
	`id` text PRIMARY KEY NOT NULL,
	`plan` text NOT NULL,
	`checkout_id` text NOT NULL,
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
CREATE TABLE `presence` (
	`id` text PRIMARY KEY NOT NULL,
	`last_seen_at` integer NOT NULL,
	`samples` text NOT NULL,
	`streams` text
);
--> statement-breakpoint
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
CREATE TABLE `proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`number` integer NOT NULL,
	`by_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`terms` text NOT NULL,
	`milestones` text NOT NULL,
	`issues` text NOT NULL,
	`escrow_terms` text,
	`status` text NOT NULL,
	`buyer_at` integer,
	`seller_at` integer,
	`buyer_pays` integer DEFAULT 0 NOT NULL,
	`escalated_to` text,
	`bound` text,
	`replaced_by` text,
	`compared_for` text,
	`decides_at` integer,
	`outbid_at` integer,
	`deal_id` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proposals_number` ON `proposals` (`conversation_id`,`number`);--> statement-breakpoint
CREATE INDEX `proposals_buyer` ON `proposals` (`buyer_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `proposals_seller` ON `proposals` (`seller_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `proposals_compared` ON `proposals` (`compared_for`,`amount_cents`,`id`) WHERE status = 'open' AND compared_for IS NOT NULL;--> statement-breakpoint
CREATE INDEX `proposals_buyer_waits` ON `proposals` (`buyer_id`,`created_at`,`id`) WHERE buyer_at IS NULL AND status IN ('open', 'withheld');--> statement-breakpoint
CREATE INDEX `proposals_seller_waits` ON `proposals` (`seller_id`,`created_at`,`id`) WHERE seller_at IS NULL AND status IN ('open', 'withheld');--> statement-breakpoint
CREATE TABLE `providers` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`capability` text NOT NULL,
	`endpoint_url` text NOT NULL,
	`price_cents` integer NOT NULL,
	`active` integer NOT NULL,
	`required_fields` text,
	`accepted_fields` text,
	`secret` text NOT NULL,
	`streak` integer DEFAULT 0 NOT NULL,
	`suspended_at` integer,
	`last_error` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`served` integer DEFAULT 0 NOT NULL,
	`charged` integer DEFAULT 0 NOT NULL,
	`latency_sum_ms` integer DEFAULT 0 NOT NULL,
	`weighed_attempts` integer DEFAULT 0 NOT NULL,
	`weighed_served` integer DEFAULT 0 NOT NULL,
	`p50_ms` integer,
	`p95_ms` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `providers_offer` ON `providers` (`agent_id`,`capability`);--> statement-breakpoint
CREATE INDEX `providers_capability` ON `providers` (`capability`,`price_cents`);--> statement-breakpoint
CREATE INDEX `providers_account` ON `providers` (`account_id`);--> statement-breakpoint
CREATE TABLE `push_configs` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`config_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`url` text NOT NULL,
	`secret` text,
	`dialect` text NOT NULL,
	`n` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `push_configs_task` ON `push_configs` (`task_id`);--> statement-breakpoint
CREATE INDEX `push_configs_agent` ON `push_configs` (`agent_id`);--> statement-breakpoint
CREATE INDEX `push_configs_expiry` ON `push_configs` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`hash` text NOT NULL,
	`secret` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`taken_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_hash` ON `push_subscriptions` (`hash`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_account` ON `push_subscriptions` (`account_id`);--> statement-breakpoint
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
CREATE INDEX `receivables_open` ON `receivables` (`created_at`,`amount_cents`,`repaid_cents`) WHERE status = 'open';--> statement-breakpoint
CREATE TABLE `reminders` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`operation` text NOT NULL,
	`input` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reminders_at` ON `reminders` (`at`);--> statement-breakpoint
CREATE INDEX `reminders_matching` ON `reminders` (`at`) WHERE operation IN ('match.run_listing', 'match.tell_unmatched', 'listing.weigh_words');--> statement-breakpoint
CREATE TABLE `reply_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`match_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reply_tokens_expiry` ON `reply_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`agent_id` text NOT NULL,
	`listing_id` text,
	`reporter_id` text,
	`reason` text NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`status` text NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reviews_status` ON `reviews` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_listing` ON `reviews` (`listing_id`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_reporter` ON `reviews` (`reporter_id`,`id`);--> statement-breakpoint
CREATE TABLE `router_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`call_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`provider_agent_id` text NOT NULL,
	`provider_account_id` text NOT NULL,
	`caller_account_id` text NOT NULL,
	`capability` text NOT NULL,
	`host` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text,
	`http_status` integer,
	`latency_ms` integer,
	`price_cents` integer DEFAULT 0 NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`counted` integer DEFAULT 1 NOT NULL,
	`gathered_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `router_attempts_provider` ON `router_attempts` (`provider_id`,`id`);--> statement-breakpoint
CREATE INDEX `router_attempts_earner` ON `router_attempts` (`provider_agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `router_attempts_fresh` ON `router_attempts` (`provider_id`) WHERE gathered_at IS NULL;--> statement-breakpoint
CREATE INDEX `router_attempts_unanswered` ON `router_attempts` (`created_at`) WHERE http_status IS NULL;--> statement-breakpoint
CREATE INDEX `router_attempts_expiry` ON `router_attempts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `router_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`account_id` text NOT NULL,
	`capability` text NOT NULL,
	`status` text NOT NULL,
	`claim` text,
	`request_hash` text,
	`claim_until` integer,
	`candidates` text NOT NULL,
	`attempts` text NOT NULL,
	`hold_id` text,
	`provider_agent_id` text,
	`price_cents` integer DEFAULT 0 NOT NULL,
	`fee_cents` integer DEFAULT 0 NOT NULL,
	`usage` text,
	`latency_ms` integer,
	`deadline_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `router_calls_claim` ON `router_calls` (`claim`);--> statement-breakpoint
CREATE INDEX `router_calls_agent` ON `router_calls` (`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `router_calls_expiry` ON `router_calls` (`expires_at`);--> statement-breakpoint
CREATE TABLE `router_results` (
	`id` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `router_results_expiry` ON `router_results` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sandbox_objects` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`decision` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sends` (
	`id` text PRIMARY KEY NOT NULL,
	`from_id` text NOT NULL,
	`to_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `service_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `service_time` (
	`id` text PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL,
	`mover` text,
	`moving_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`refresh_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
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
CREATE INDEX `subscription_charges_subscription` ON `subscription_charges` (`subscription_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscription_charges_seller` ON `subscription_charges` (`seller_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`buyer_id` text NOT NULL,
	`buyer_account_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`seller_account_id` text NOT NULL,
	`key_id` text,
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
CREATE INDEX `subscriptions_buyer` ON `subscriptions` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_seller` ON `subscriptions` (`seller_id`,`id`);--> statement-breakpoint
CREATE TABLE `task_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`n` integer NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`message` text,
	`artifact` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `task_updates_n` ON `task_updates` (`task_id`,`n`);--> statement-breakpoint
CREATE INDEX `task_updates_artifacts` ON `task_updates` (`task_id`,`n`) WHERE artifact IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text,
	`sender_id` text NOT NULL,
	`target_id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`state` text NOT NULL,
	`last_n` integer NOT NULL,
	`status_n` integer NOT NULL,
	`dialect` text,
	`metadata` text NOT NULL,
	`remote` text,
	`push_configs` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`expires_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_client` ON `tasks` (`sender_id`,`client_id`) WHERE client_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_sender` ON `tasks` (`sender_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `tasks_target` ON `tasks` (`target_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `tasks_open` ON `tasks` (`conversation_id`,`target_id`) WHERE expires_at IS NULL;--> statement-breakpoint
CREATE INDEX `tasks_expiry` ON `tasks` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tastes` (
	`id` text PRIMARY KEY NOT NULL,
	`signals` text NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `template_words` (
	`id` text PRIMARY KEY NOT NULL,
	`shares` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `track_records` (
	`id` text PRIMARY KEY NOT NULL,
	`deals_completed` integer DEFAULT 0 NOT NULL,
	`bands` text NOT NULL,
	`escrows_ended` integer DEFAULT 0 NOT NULL,
	`disputes_against` integer DEFAULT 0 NOT NULL,
	`disputes_settled` integer DEFAULT 0 NOT NULL,
	`reviews` integer DEFAULT 0 NOT NULL,
	`rating_sum` integer DEFAULT 0 NOT NULL,
	`partners` integer DEFAULT 0 NOT NULL,
	`partners_weight` integer DEFAULT 0 NOT NULL,
	`partners_rating` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`journal` text NOT NULL,
	`debit` text NOT NULL,
	`credit` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`debit_after_cents` integer,
	`credit_after_cents` integer,
	`debit_n` integer,
	`credit_n` integer,
	`earned` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `transfers_journal` ON `transfers` (`journal`);--> statement-breakpoint
CREATE INDEX `transfers_debit` ON `transfers` (`debit`,`debit_n`) WHERE debit_n IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transfers_credit` ON `transfers` (`credit`,`credit_n`) WHERE credit_n IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transfers_earned` ON `transfers` (`credit`,`credit_n`) WHERE earned = 1;--> statement-breakpoint
CREATE INDEX `transfers_platform_debit` ON `transfers` (`debit`,`amount_cents`) WHERE debit_after_cents IS NULL;--> statement-breakpoint
CREATE INDEX `transfers_platform_credit` ON `transfers` (`credit`,`amount_cents`) WHERE credit_after_cents IS NULL;--> statement-breakpoint
CREATE TABLE `turns` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`reasons` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `turns_conversation` ON `turns` (`conversation_id`,`id`);--> statement-breakpoint
CREATE TABLE `views` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`listing_id` text,
	`day` text NOT NULL,
	`n` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `views_agent` ON `views` (`agent_id`,`day`);--> statement-breakpoint
CREATE TABLE `wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`per_transaction_cents` integer,
	`per_day_cents` integer,
	`limit_set_at` integer,
	`low_balance_cents` integer,
	`low_told_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event` text NOT NULL,
	`payload` text NOT NULL,
	`http_status` integer,
	`response_ms` integer,
	`response_body` text,
	`error` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_logs_webhook` ON `webhook_logs` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_logs_expiry` ON `webhook_logs` (`expires_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`active` integer DEFAULT 1 NOT NULL,
	`retry` integer DEFAULT 0 NOT NULL,
	`secret` text NOT NULL,
	`old_secret` text,
	`old_secret_until` integer,
	`failure_count` integer DEFAULT 0 NOT NULL,
	`last_delivery_at` integer,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_agent` ON `webhooks` (`agent_id`);--> statement-breakpoint
CREATE INDEX `webhooks_off` ON `webhooks` (`id`) WHERE active = 0;