-- oldest release beside it: 0.2.0
CREATE TABLE "account_marks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"mark" text COLLATE "C" NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C",
	"plan" text COLLATE "C" NOT NULL,
	"language" text COLLATE "C",
	"seen_language" text COLLATE "C",
	"provisional" bigint DEFAULT 0 NOT NULL,
	"admin_at" bigint,
	"deleted_at" bigint,
	"suspended_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "actions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"input" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"to_id" text COLLATE "C",
	"bound" text COLLATE "C" NOT NULL,
	"bound_cents" bigint NOT NULL,
	"on_timeout" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"result" text,
	"asked_by" text COLLATE "C",
	"respond_by" bigint NOT NULL,
	"decided_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_acts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C",
	"reason" text COLLATE "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"handle" text COLLATE "C" NOT NULL,
	"display_name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" DEFAULT '' NOT NULL,
	"description" text COLLATE "C" DEFAULT '' NOT NULL,
	"offers" text NOT NULL,
	"seeks" text NOT NULL,
	"geo" text,
	"industry" text NOT NULL,
	"visibility" text COLLATE "C" NOT NULL,
	"bounds" text NOT NULL,
	"availability" text,
	"social_links" text NOT NULL,
	"wake" text NOT NULL,
	"public_key" text COLLATE "C",
	"fingerprint" text COLLATE "C",
	"key_pair" text,
	"provisional" bigint DEFAULT 0 NOT NULL,
	"verified_at" bigint,
	"intake_at" bigint,
	"autopilot" bigint DEFAULT 0 NOT NULL,
	"deactivated_at" bigint,
	"trust_score" bigint DEFAULT 0 NOT NULL,
	"credentials" text NOT NULL,
	"failing_credentials" text,
	"deals_completed" bigint DEFAULT 0 NOT NULL,
	"dispute_rate" bigint,
	"a2a_url" text COLLATE "C",
	"a2a_failing_since" bigint,
	"a2a_card" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL,
	"prefix" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"scopes" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint,
	"successor_id" text COLLATE "C",
	"used_at" bigint,
	"budget" text,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"decision" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	"credential_id" text COLLATE "C",
	"bounds" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"blocked_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "challenges" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"verified_at" bigint NOT NULL,
	"checked_at" bigint NOT NULL,
	"failing_since" bigint,
	"holds" text COLLATE "C",
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"data" text NOT NULL,
	"tries" bigint DEFAULT 0 NOT NULL,
	"sent_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "commits" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"node" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"agents" text NOT NULL,
	"changed" text NOT NULL,
	"vectors" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"opener_id" text COLLATE "C" NOT NULL,
	"other_id" text COLLATE "C" NOT NULL,
	"match_id" text COLLATE "C",
	"deal_id" text COLLATE "C",
	"proposal_id" text COLLATE "C",
	"escalated_to" text COLLATE "C",
	"phase" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"last_message_id" text COLLATE "C",
	"last_n" bigint DEFAULT 0 NOT NULL,
	"opener_sent" bigint DEFAULT 0 NOT NULL,
	"other_sent" bigint DEFAULT 0 NOT NULL,
	"opener_seen" bigint DEFAULT 0 NOT NULL,
	"other_seen" bigint DEFAULT 0 NOT NULL,
	"waits_for" text COLLATE "C",
	"closed_reason" text COLLATE "C",
	"opener_blocks" bigint DEFAULT 0 NOT NULL,
	"other_blocks" bigint DEFAULT 0 NOT NULL,
	"opener_tasks" bigint DEFAULT 0 NOT NULL,
	"other_tasks" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"n" bigint NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
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
CREATE TABLE "demand_quotes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"price_cents" bigint NOT NULL,
	"message" text COLLATE "C",
	"delivery_days" bigint,
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "demand_requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"labels" text NOT NULL,
	"budget_cents" bigint NOT NULL,
	"closes_at" bigint NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"woken" text NOT NULL,
	"quotes" bigint DEFAULT 0 NOT NULL,
	"awarded_quote_id" text COLLATE "C",
	"conversation_id" text COLLATE "C",
	"deal_id" text COLLATE "C",
	"ended_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
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
CREATE TABLE "earlier_deliverables" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"escrow_id" text COLLATE "C" NOT NULL,
	"milestone_index" bigint NOT NULL,
	"n" bigint NOT NULL,
	"deliverable" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "earned_days" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"day" bigint NOT NULL,
	"cents" bigint NOT NULL
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
CREATE TABLE "events" (
	"id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"seq" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"handle" text COLLATE "C" NOT NULL,
	"data" text NOT NULL,
	"subject_id" text COLLATE "C",
	"respond_by" bigint,
	"awaiting" bigint DEFAULT 0 NOT NULL,
	"answered" text,
	"created_at" bigint NOT NULL,
	"trace" text COLLATE "C",
	"version" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "events_agent_id_id_pk" PRIMARY KEY("agent_id","id")
) PARTITION BY HASH ("agent_id");--> statement-breakpoint
CREATE TABLE "events_0" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 0);--> statement-breakpoint
CREATE TABLE "events_1" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 1);--> statement-breakpoint
CREATE TABLE "events_2" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 2);--> statement-breakpoint
CREATE TABLE "events_3" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 3);--> statement-breakpoint
CREATE TABLE "events_4" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 4);--> statement-breakpoint
CREATE TABLE "events_5" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 5);--> statement-breakpoint
CREATE TABLE "events_6" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 6);--> statement-breakpoint
CREATE TABLE "events_7" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 7);--> statement-breakpoint
CREATE TABLE "events_8" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 8);--> statement-breakpoint
CREATE TABLE "events_9" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 9);--> statement-breakpoint
CREATE TABLE "events_10" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 10);--> statement-breakpoint
CREATE TABLE "events_11" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 11);--> statement-breakpoint
CREATE TABLE "events_12" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 12);--> statement-breakpoint
CREATE TABLE "events_13" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 13);--> statement-breakpoint
CREATE TABLE "events_14" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 14);--> statement-breakpoint
CREATE TABLE "events_15" PARTITION OF "events" FOR VALUES WITH (MODULUS 16, REMAINDER 15);
--> statement-breakpoint
CREATE TABLE "feed_entries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"change" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" NOT NULL,
	"labels" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "forwards" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"task_id" text COLLATE "C",
	"url" text COLLATE "C" NOT NULL,
	"dialect" text COLLATE "C" NOT NULL,
	"binding" text COLLATE "C" NOT NULL,
	"tenant" text COLLATE "C",
	"remote_task_id" text COLLATE "C",
	"remote_context_id" text COLLATE "C",
	"state" text COLLATE "C" NOT NULL,
	"answer" text,
	"answer_id" text COLLATE "C",
	"looks" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
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
CREATE TABLE "handles" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C",
	"email" text COLLATE "C",
	"expires_at" bigint,
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
CREATE TABLE "idempotency" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"request_hash" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"notes" text NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"sealed" bigint DEFAULT 0 NOT NULL,
	"expires_at" bigint NOT NULL
) PARTITION BY HASH ("id");--> statement-breakpoint
CREATE TABLE "idempotency_0" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 0);--> statement-breakpoint
CREATE TABLE "idempotency_1" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 1);--> statement-breakpoint
CREATE TABLE "idempotency_2" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 2);--> statement-breakpoint
CREATE TABLE "idempotency_3" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 3);--> statement-breakpoint
CREATE TABLE "idempotency_4" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 4);--> statement-breakpoint
CREATE TABLE "idempotency_5" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 5);--> statement-breakpoint
CREATE TABLE "idempotency_6" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 6);--> statement-breakpoint
CREATE TABLE "idempotency_7" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 7);--> statement-breakpoint
CREATE TABLE "idempotency_8" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 8);--> statement-breakpoint
CREATE TABLE "idempotency_9" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 9);--> statement-breakpoint
CREATE TABLE "idempotency_10" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 10);--> statement-breakpoint
CREATE TABLE "idempotency_11" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 11);--> statement-breakpoint
CREATE TABLE "idempotency_12" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 12);--> statement-breakpoint
CREATE TABLE "idempotency_13" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 13);--> statement-breakpoint
CREATE TABLE "idempotency_14" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 14);--> statement-breakpoint
CREATE TABLE "idempotency_15" PARTITION OF "idempotency" FOR VALUES WITH (MODULUS 16, REMAINDER 15);
--> statement-breakpoint
CREATE TABLE "inbound_mails" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C",
	"conversation_id" text COLLATE "C",
	"message_id" text COLLATE "C",
	"outcome" text COLLATE "C" NOT NULL,
	"authentication" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox_reads" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"ranges" text COLLATE "C" NOT NULL,
	"noticed" text COLLATE "C" DEFAULT '' NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inboxes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last_seq" bigint NOT NULL,
	"delivered_seq" bigint DEFAULT 0 NOT NULL,
	"behind" bigint DEFAULT 0 NOT NULL,
	"lease_until" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C",
	"by" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C",
	"bound" bigint NOT NULL,
	"used_by" text COLLATE "C",
	"used_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "journals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C",
	"digest" text COLLATE "C" DEFAULT '' NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "key_uses" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last_used_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "knowledge" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"public" bigint DEFAULT 0 NOT NULL,
	"vector" "bytea",
	"model" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "labels" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"uses" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"balance_cents" bigint NOT NULL,
	"postings" bigint DEFAULT 0 NOT NULL,
	"held" text,
	CONSTRAINT "ledger_accounts_covered" CHECK (balance_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_days" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"journals" bigint NOT NULL,
	"transfers" bigint NOT NULL,
	"amount_cents" bigint NOT NULL,
	"journals_hash" text COLLATE "C" NOT NULL,
	"sums_hash" text COLLATE "C" NOT NULL,
	"approvals_hash" text COLLATE "C",
	"previous" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_sums" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"day" text COLLATE "C" NOT NULL,
	"account" text COLLATE "C" NOT NULL,
	"balance_cents" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listing_vectors" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"side" text COLLATE "C" NOT NULL,
	"labels" text NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"vector" "bytea" NOT NULL,
	"card_type" text COLLATE "C",
	"terms" "bytea"
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"card_type" text COLLATE "C" NOT NULL,
	"direction" text COLLATE "C" NOT NULL,
	"headline" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C" NOT NULL,
	"geo" text COLLATE "C",
	"labels" text NOT NULL,
	"subcategory" text COLLATE "C",
	"price_cents" bigint,
	"budget_cents" bigint,
	"price_period" text COLLATE "C" DEFAULT 'once' NOT NULL,
	"currency" text COLLATE "C" DEFAULT 'USD' NOT NULL,
	"per_week_cents" bigint,
	"per_month_cents" bigint,
	"conditions" text NOT NULL,
	"goals" text,
	"fields" text NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"origin" text COLLATE "C" NOT NULL,
	"verified_attributes" text,
	"measured_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_marks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"seen" bigint NOT NULL,
	"at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "matches" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"match_id" text COLLATE "C" NOT NULL,
	"offer_id" text COLLATE "C" NOT NULL,
	"seek_id" text COLLATE "C" NOT NULL,
	"offer_agent_id" text COLLATE "C" NOT NULL,
	"seek_agent_id" text COLLATE "C" NOT NULL,
	"offer_headline" text COLLATE "C" NOT NULL,
	"seek_headline" text COLLATE "C" NOT NULL,
	"score_ppm" bigint NOT NULL,
	"reasons" text NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"approved_by" text NOT NULL,
	"saved_by" text NOT NULL,
	"shown_to" text NOT NULL,
	"offer_visible" bigint DEFAULT 1 NOT NULL,
	"seek_visible" bigint DEFAULT 1 NOT NULL,
	"offer_best" bigint DEFAULT 1 NOT NULL,
	"seek_best" bigint DEFAULT 1 NOT NULL,
	"ended_by" text COLLATE "C",
	"feedback" text,
	"conversation_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "matching_requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"node" text COLLATE "C" NOT NULL,
	"caller" text COLLATE "C" NOT NULL,
	"request" text COLLATE "C" NOT NULL,
	"claimed_by" text COLLATE "C",
	"answer" text COLLATE "C",
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "meetings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"starts_at" bigint NOT NULL,
	"duration_minutes" bigint NOT NULL,
	"url" text COLLATE "C",
	"completed_by" text COLLATE "C",
	"completed_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"n" bigint DEFAULT 0 NOT NULL,
	"sender_id" text COLLATE "C" NOT NULL,
	"sender_handle" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"note" text,
	"created_at" bigint NOT NULL,
	CONSTRAINT "messages_conversation_id_id_pk" PRIMARY KEY("conversation_id","id")
) PARTITION BY HASH ("conversation_id");--> statement-breakpoint
CREATE TABLE "messages_0" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 0);--> statement-breakpoint
CREATE TABLE "messages_1" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 1);--> statement-breakpoint
CREATE TABLE "messages_2" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 2);--> statement-breakpoint
CREATE TABLE "messages_3" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 3);--> statement-breakpoint
CREATE TABLE "messages_4" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 4);--> statement-breakpoint
CREATE TABLE "messages_5" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 5);--> statement-breakpoint
CREATE TABLE "messages_6" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 6);--> statement-breakpoint
CREATE TABLE "messages_7" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 7);--> statement-breakpoint
CREATE TABLE "messages_8" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 8);--> statement-breakpoint
CREATE TABLE "messages_9" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 9);--> statement-breakpoint
CREATE TABLE "messages_10" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 10);--> statement-breakpoint
CREATE TABLE "messages_11" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 11);--> statement-breakpoint
CREATE TABLE "messages_12" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 12);--> statement-breakpoint
CREATE TABLE "messages_13" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 13);--> statement-breakpoint
CREATE TABLE "messages_14" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 14);--> statement-breakpoint
CREATE TABLE "messages_15" PARTITION OF "messages" FOR VALUES WITH (MODULUS 16, REMAINDER 15);
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
CREATE TABLE "model_calls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"prompt" text COLLATE "C" NOT NULL,
	"answer" text COLLATE "C" NOT NULL,
	"tokens" bigint NOT NULL,
	"cost_microcents" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"version" text COLLATE "C" NOT NULL,
	"answers_until" bigint DEFAULT 0 NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"push" text COLLATE "C" DEFAULT 'important' NOT NULL,
	"quiet_hours" text,
	"mute" text NOT NULL,
	"digested_until" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"redirect_uris" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C",
	"client_id" text COLLATE "C" NOT NULL,
	"client_kind" text COLLATE "C" NOT NULL,
	"client_name" text COLLATE "C" NOT NULL,
	"redirect_uri" text COLLATE "C" NOT NULL,
	"resource" text COLLATE "C" NOT NULL,
	"scopes" text NOT NULL,
	"challenge" text COLLATE "C" NOT NULL,
	"code_hash" text COLLATE "C" NOT NULL,
	"redeemed_at" bigint,
	"rotations" bigint DEFAULT 0 NOT NULL,
	"rotated_at" text,
	"used_at" bigint,
	"created_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbound" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"channel" text COLLATE "C" NOT NULL,
	"payload" text COLLATE "C" NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"next_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outside_identities" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"deals" bigint DEFAULT 0 NOT NULL,
	"cents" bigint DEFAULT 0 NOT NULL,
	"reviews" bigint DEFAULT 0 NOT NULL,
	"rating_sum" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"credential_id" text COLLATE "C" NOT NULL,
	"public_key" text COLLATE "C" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text NOT NULL,
	"backed_up" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"used_at" bigint,
	"copied_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payees" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"processor" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C",
	"details_submitted" bigint DEFAULT 0 NOT NULL,
	"payouts_enabled" bigint DEFAULT 0 NOT NULL,
	"told_of" text COLLATE "C",
	"n" bigint DEFAULT 0 NOT NULL,
	"bank" text,
	"bank_mark" text COLLATE "C",
	"connected_by" text,
	"connected_at" bigint,
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
	"bank" text,
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
	"price_cents" bigint NOT NULL,
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
	"checkout_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"processor" text COLLATE "C" NOT NULL,
	"external_id" text COLLATE "C" NOT NULL,
	"renews_at" bigint NOT NULL,
	"past_due_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presence" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"samples" text NOT NULL,
	"streams" text
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
CREATE TABLE "proposals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"number" bigint NOT NULL,
	"by_id" text COLLATE "C" NOT NULL,
	"buyer_id" text COLLATE "C" NOT NULL,
	"seller_id" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"terms" text COLLATE "C" NOT NULL,
	"milestones" text NOT NULL,
	"issues" text NOT NULL,
	"escrow_terms" text,
	"status" text COLLATE "C" NOT NULL,
	"buyer_at" bigint,
	"seller_at" bigint,
	"buyer_pays" bigint DEFAULT 0 NOT NULL,
	"escalated_to" text COLLATE "C",
	"bound" text COLLATE "C",
	"replaced_by" text COLLATE "C",
	"compared_for" text COLLATE "C",
	"decides_at" bigint,
	"outbid_at" bigint,
	"deal_id" text COLLATE "C",
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"capability" text COLLATE "C" NOT NULL,
	"endpoint_url" text COLLATE "C" NOT NULL,
	"price_cents" bigint NOT NULL,
	"active" bigint NOT NULL,
	"required_fields" text,
	"accepted_fields" text,
	"secret" text COLLATE "C" NOT NULL,
	"streak" bigint DEFAULT 0 NOT NULL,
	"suspended_at" bigint,
	"last_error" text COLLATE "C",
	"attempts" bigint DEFAULT 0 NOT NULL,
	"served" bigint DEFAULT 0 NOT NULL,
	"charged" bigint DEFAULT 0 NOT NULL,
	"latency_sum_ms" bigint DEFAULT 0 NOT NULL,
	"weighed_attempts" bigint DEFAULT 0 NOT NULL,
	"weighed_served" bigint DEFAULT 0 NOT NULL,
	"p50_ms" bigint,
	"p95_ms" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_configs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"task_id" text COLLATE "C" NOT NULL,
	"config_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"secret" text COLLATE "C",
	"dialect" text COLLATE "C" NOT NULL,
	"n" bigint NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"taken_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rates" (
	"caller" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"node" text COLLATE "C" NOT NULL,
	"n" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "rates_caller_at_node_pk" PRIMARY KEY("caller","at","node")
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
CREATE TABLE "reminders" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"operation" text COLLATE "C" NOT NULL,
	"input" text NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reply_tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"match_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C",
	"reporter_id" text COLLATE "C",
	"reason" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C" DEFAULT '' NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"decided_by" text COLLATE "C",
	"decided_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "router_attempts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"call_id" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"provider_agent_id" text COLLATE "C" NOT NULL,
	"provider_account_id" text COLLATE "C" NOT NULL,
	"caller_account_id" text COLLATE "C" NOT NULL,
	"capability" text COLLATE "C" NOT NULL,
	"host" text COLLATE "C" NOT NULL,
	"outcome" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"http_status" bigint,
	"latency_ms" bigint,
	"price_cents" bigint DEFAULT 0 NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"counted" bigint DEFAULT 1 NOT NULL,
	"gathered_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "router_calls" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"capability" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"claim" text COLLATE "C",
	"request_hash" text COLLATE "C",
	"claim_until" bigint,
	"candidates" text NOT NULL,
	"attempts" text NOT NULL,
	"hold_id" text COLLATE "C",
	"provider_agent_id" text COLLATE "C",
	"price_cents" bigint DEFAULT 0 NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL,
	"usage" text COLLATE "C",
	"latency_ms" bigint,
	"deadline_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint,
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "router_results" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL
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
CREATE TABLE "secrets" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sends" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"from_id" text COLLATE "C" NOT NULL,
	"to_id" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"note" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_notes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_time" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL,
	"mover" text COLLATE "C",
	"moving_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"refresh_hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
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
	"key_id" text COLLATE "C",
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
CREATE TABLE "task_updates" (
	"id" text COLLATE "C" NOT NULL,
	"task_id" text COLLATE "C" NOT NULL,
	"n" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"message" text,
	"artifact" text,
	"created_at" bigint NOT NULL,
	CONSTRAINT "task_updates_task_id_id_pk" PRIMARY KEY("task_id","id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"client_id" text COLLATE "C",
	"sender_id" text COLLATE "C" NOT NULL,
	"target_id" text COLLATE "C" NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"last_n" bigint NOT NULL,
	"status_n" bigint NOT NULL,
	"dialect" text COLLATE "C",
	"metadata" text NOT NULL,
	"remote" text,
	"push_configs" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tastes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"signals" text NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "template_words" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"shares" text NOT NULL,
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
	"partners" bigint DEFAULT 0 NOT NULL,
	"partners_weight" bigint DEFAULT 0 NOT NULL,
	"partners_rating" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"journal" text COLLATE "C" NOT NULL,
	"debit" text COLLATE "C" NOT NULL,
	"credit" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"debit_after_cents" bigint,
	"credit_after_cents" bigint,
	"debit_n" bigint,
	"credit_n" bigint,
	"earned" bigint DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"conversation_id" text COLLATE "C" NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"reasons" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "views" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"listing_id" text COLLATE "C",
	"day" text COLLATE "C" NOT NULL,
	"n" bigint DEFAULT 0 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"per_transaction_cents" bigint,
	"per_day_cents" bigint,
	"limit_set_at" bigint,
	"low_balance_cents" bigint,
	"low_told_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_logs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"webhook_id" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"event" text COLLATE "C" NOT NULL,
	"payload" text NOT NULL,
	"http_status" bigint,
	"response_ms" bigint,
	"response_body" text COLLATE "C",
	"error" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"agent_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"events" text NOT NULL,
	"active" bigint DEFAULT 1 NOT NULL,
	"retry" bigint DEFAULT 0 NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"old_secret" text COLLATE "C",
	"old_secret_until" bigint,
	"failure_count" bigint DEFAULT 0 NOT NULL,
	"last_delivery_at" bigint,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "account_marks_account" ON "account_marks" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "account_marks_mark" ON "account_marks" USING btree ("mark");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email" ON "accounts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "accounts_live" ON "accounts" USING btree ("id") WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX "accounts_suspended" ON "accounts" USING btree ("id") WHERE suspended_at IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX "accounts_admin" ON "accounts" USING btree ("admin_at") WHERE admin_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "actions_agent" ON "actions" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "actions_expiry" ON "actions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "agents_account" ON "agents" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "agents_handle" ON "agents" USING btree ("handle");--> statement-breakpoint
CREATE INDEX "agents_live" ON "agents" USING btree ("id") WHERE deactivated_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "approvals_agent" ON "approvals" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "approvals_created" ON "approvals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "blocks_agent" ON "blocks" USING btree ("agent_id","blocked_id");--> statement-breakpoint
CREATE INDEX "blocks_blocked" ON "blocks" USING btree ("blocked_id");--> statement-breakpoint
CREATE INDEX "challenges_expiry" ON "challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "claims_holds" ON "claims" USING btree ("holds");--> statement-breakpoint
CREATE UNIQUE INDEX "claims_external" ON "claims" USING btree ("provider","external_id");--> statement-breakpoint
CREATE INDEX "claims_agent" ON "claims" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "codes_expiry" ON "codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "commits_created" ON "commits" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "commits_expiry" ON "commits" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "conversations_opener" ON "conversations" USING btree ("opener_id","id");--> statement-breakpoint
CREATE INDEX "conversations_other" ON "conversations" USING btree ("other_id","id");--> statement-breakpoint
CREATE INDEX "conversations_pair" ON "conversations" USING btree ("other_id","opener_id");--> statement-breakpoint
CREATE INDEX "conversations_waiting" ON "conversations" USING btree ("waits_for","last_message_id") WHERE waits_for IS NOT NULL AND status IN ('open', 'escalated');--> statement-breakpoint
CREATE INDEX "conversations_opener_tasks" ON "conversations" USING btree ("opener_id") WHERE opener_tasks + other_tasks > 0;--> statement-breakpoint
CREATE INDEX "conversations_other_tasks" ON "conversations" USING btree ("other_id") WHERE opener_tasks + other_tasks > 0;--> statement-breakpoint
CREATE INDEX "counters_expiry" ON "counters" USING btree ("expires_at") WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "deal_reviews_about" ON "deal_reviews" USING btree ("about_id","created_at");--> statement-breakpoint
CREATE INDEX "deal_reviews_listing" ON "deal_reviews" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "deals_buyer" ON "deals" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "deals_seller" ON "deals" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "deals_listing" ON "deals" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "deals_conversation" ON "deals" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "demand_quotes_request" ON "demand_quotes" USING btree ("request_id","agent_id");--> statement-breakpoint
CREATE INDEX "demand_quotes_agent" ON "demand_quotes" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "demand_requests_closes" ON "demand_requests" USING btree ("status","closes_at","id");--> statement-breakpoint
CREATE INDEX "demand_requests_agent" ON "demand_requests" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "dispute_evidence_dispute" ON "dispute_evidence" USING btree ("dispute_id");--> statement-breakpoint
CREATE INDEX "disputes_escrow" ON "disputes" USING btree ("escrow_id","id");--> statement-breakpoint
CREATE INDEX "disputes_live" ON "disputes" USING btree ("id") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "earlier_deliverables_escrow" ON "earlier_deliverables" USING btree ("escrow_id");--> statement-breakpoint
CREATE INDEX "earned_days_agent" ON "earned_days" USING btree ("agent_id","day");--> statement-breakpoint
CREATE INDEX "escrows_buyer" ON "escrows" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "escrows_seller" ON "escrows" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "escrows_buyer_open" ON "escrows" USING btree ("buyer_id") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "escrows_seller_live" ON "escrows" USING btree ("seller_id") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "escrows_held" ON "escrows" USING btree ("created_at","total_cents","released_cents","refunded_cents") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "events_seq" ON "events" USING btree ("agent_id","seq");--> statement-breakpoint
CREATE INDEX "events_awaiting" ON "events" USING btree ("agent_id","subject_id","kind","respond_by") WHERE awaiting = 1;--> statement-breakpoint
CREATE INDEX "feed_entries_agent" ON "feed_entries" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "feed_entries_expiry" ON "feed_entries" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "forwards_thread" ON "forwards" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "forwards_task" ON "forwards" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "forwards_answer" ON "forwards" USING btree ("answer_id");--> statement-breakpoint
CREATE INDEX "forwards_expiry" ON "forwards" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "fundings_agent" ON "fundings" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "fundings_paid" ON "fundings" USING btree ("paid_at","id") WHERE paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "fundings_pending" ON "fundings" USING btree ("created_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "fundings_external" ON "fundings" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "fundings_payment" ON "fundings" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "handles_agent" ON "handles" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "holds_pending" ON "holds" USING btree ("expires_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "idempotency_expiry" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "inbound_mails_expiry" ON "inbound_mails" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "inboxes_behind" ON "inboxes" USING btree ("id") WHERE behind = 1;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_hash" ON "invitations" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invitations_account" ON "invitations" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "invitations_expiry" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "journals_created" ON "journals" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "knowledge_agent" ON "knowledge" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "labels_uses" ON "labels" USING btree ("uses","id");--> statement-breakpoint
CREATE INDEX "ledger_sums_account" ON "ledger_sums" USING btree ("account","day");--> statement-breakpoint
CREATE INDEX "listing_vectors_model" ON "listing_vectors" USING btree ("model");--> statement-breakpoint
CREATE UNIQUE INDEX "listings_slug" ON "listings" USING btree ("agent_id","slug");--> statement-breakpoint
CREATE INDEX "listings_agent" ON "listings" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "listings_status" ON "listings" USING btree ("agent_id","status","id");--> statement-breakpoint
CREATE INDEX "listings_headline" ON "listings" USING btree ("agent_id","headline","direction","id");--> statement-breakpoint
CREATE INDEX "listings_account" ON "listings" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "matches_match_id" ON "matches" USING btree ("match_id");--> statement-breakpoint
CREATE INDEX "matches_offer_agent" ON "matches" USING btree ("offer_agent_id","score_ppm","id");--> statement-breakpoint
CREATE INDEX "matches_seek_agent" ON "matches" USING btree ("seek_agent_id","score_ppm","id");--> statement-breakpoint
CREATE INDEX "matches_offer_newest" ON "matches" USING btree ("offer_agent_id","match_id");--> statement-breakpoint
CREATE INDEX "matches_seek_newest" ON "matches" USING btree ("seek_agent_id","match_id");--> statement-breakpoint
CREATE INDEX "matches_pair" ON "matches" USING btree ("offer_agent_id","seek_agent_id");--> statement-breakpoint
CREATE INDEX "matches_offer" ON "matches" USING btree ("offer_id","offer_best","score_ppm");--> statement-breakpoint
CREATE INDEX "matches_seek" ON "matches" USING btree ("seek_id","seek_best","score_ppm");--> statement-breakpoint
CREATE INDEX "matching_requests_expiry" ON "matching_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "meetings_conversation" ON "meetings" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_n" ON "messages" USING btree ("conversation_id","n");--> statement-breakpoint
CREATE INDEX "milestones_escrow" ON "milestones" USING btree ("escrow_id");--> statement-breakpoint
CREATE INDEX "model_calls_agent" ON "model_calls" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "model_calls_expiry" ON "model_calls" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "nodes_expiry" ON "nodes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_clients_expiry" ON "oauth_clients" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_grants_account" ON "oauth_grants" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "oauth_grants_expiry" ON "oauth_grants" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "outbound_next" ON "outbound" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "outside_identities_account" ON "outside_identities" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "partners_agent" ON "partners" USING btree ("agent_id","deals","id");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_account" ON "passkeys" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payees_external" ON "payees" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "payouts_agent" ON "payouts" USING btree ("agent_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_request" ON "payouts" USING btree ("agent_id","request_key");--> statement-breakpoint
CREATE INDEX "payouts_open" ON "payouts" USING btree ("created_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "payouts_external" ON "payouts" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payouts_transfer" ON "payouts" USING btree ("transfer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_checkouts_external" ON "plan_checkouts" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "plan_checkouts_pending" ON "plan_checkouts" USING btree ("created_at") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "plan_checkouts_account" ON "plan_checkouts" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "plan_checkouts_status" ON "plan_checkouts" USING btree ("status","id");--> statement-breakpoint
CREATE UNIQUE INDEX "plan_terms_external" ON "plan_terms" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "processor_events_expiry" ON "processor_events" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_number" ON "proposals" USING btree ("conversation_id","number");--> statement-breakpoint
CREATE INDEX "proposals_buyer" ON "proposals" USING btree ("buyer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "proposals_seller" ON "proposals" USING btree ("seller_id","created_at","id");--> statement-breakpoint
CREATE INDEX "proposals_compared" ON "proposals" USING btree ("compared_for","amount_cents","id") WHERE status = 'open' AND compared_for IS NOT NULL;--> statement-breakpoint
CREATE INDEX "proposals_buyer_waits" ON "proposals" USING btree ("buyer_id","created_at","id") WHERE buyer_at IS NULL AND status IN ('open', 'withheld');--> statement-breakpoint
CREATE INDEX "proposals_seller_waits" ON "proposals" USING btree ("seller_id","created_at","id") WHERE seller_at IS NULL AND status IN ('open', 'withheld');--> statement-breakpoint
CREATE UNIQUE INDEX "providers_offer" ON "providers" USING btree ("agent_id","capability");--> statement-breakpoint
CREATE INDEX "providers_capability" ON "providers" USING btree ("capability","price_cents");--> statement-breakpoint
CREATE INDEX "providers_account" ON "providers" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "push_configs_task" ON "push_configs" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "push_configs_agent" ON "push_configs" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "push_configs_expiry" ON "push_configs" USING btree ("expires_at") WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_hash" ON "push_subscriptions" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "push_subscriptions_account" ON "push_subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "rates_expiry" ON "rates" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "receivables_account" ON "receivables" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "receivables_open" ON "receivables" USING btree ("created_at","amount_cents","repaid_cents") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "reminders_at" ON "reminders" USING btree ("at");--> statement-breakpoint
CREATE INDEX "reminders_matching" ON "reminders" USING btree ("at") WHERE operation IN ('match.run_listing', 'match.tell_unmatched', 'listing.weigh_words');--> statement-breakpoint
CREATE INDEX "reply_tokens_expiry" ON "reply_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "reviews_status" ON "reviews" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "reviews_listing" ON "reviews" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "reviews_reporter" ON "reviews" USING btree ("reporter_id","id");--> statement-breakpoint
CREATE INDEX "router_attempts_provider" ON "router_attempts" USING btree ("provider_id","id");--> statement-breakpoint
CREATE INDEX "router_attempts_earner" ON "router_attempts" USING btree ("provider_agent_id","id");--> statement-breakpoint
CREATE INDEX "router_attempts_fresh" ON "router_attempts" USING btree ("provider_id") WHERE gathered_at IS NULL;--> statement-breakpoint
CREATE INDEX "router_attempts_unanswered" ON "router_attempts" USING btree ("created_at") WHERE http_status IS NULL;--> statement-breakpoint
CREATE INDEX "router_attempts_expiry" ON "router_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "router_calls_claim" ON "router_calls" USING btree ("claim");--> statement-breakpoint
CREATE INDEX "router_calls_agent" ON "router_calls" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "router_calls_expiry" ON "router_calls" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "router_results_expiry" ON "router_results" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "subscription_charges_subscription" ON "subscription_charges" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "subscription_charges_seller" ON "subscription_charges" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "subscriptions_buyer" ON "subscriptions" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_seller" ON "subscriptions" USING btree ("seller_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "task_updates_n" ON "task_updates" USING btree ("task_id","n");--> statement-breakpoint
CREATE INDEX "task_updates_artifacts" ON "task_updates" USING btree ("task_id","n") WHERE artifact IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_client" ON "tasks" USING btree ("sender_id","client_id") WHERE client_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "tasks_sender" ON "tasks" USING btree ("sender_id","updated_at");--> statement-breakpoint
CREATE INDEX "tasks_target" ON "tasks" USING btree ("target_id","updated_at");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("conversation_id","target_id") WHERE expires_at IS NULL;--> statement-breakpoint
CREATE INDEX "tasks_expiry" ON "tasks" USING btree ("expires_at") WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "transfers_journal" ON "transfers" USING btree ("journal");--> statement-breakpoint
CREATE INDEX "transfers_debit" ON "transfers" USING btree ("debit","debit_n") WHERE debit_n IS NOT NULL;--> statement-breakpoint
CREATE INDEX "transfers_credit" ON "transfers" USING btree ("credit","credit_n") WHERE credit_n IS NOT NULL;--> statement-breakpoint
CREATE INDEX "transfers_earned" ON "transfers" USING btree ("credit","credit_n") WHERE earned = 1;--> statement-breakpoint
CREATE INDEX "transfers_platform_debit" ON "transfers" USING btree ("debit","amount_cents") WHERE debit_after_cents IS NULL;--> statement-breakpoint
CREATE INDEX "transfers_platform_credit" ON "transfers" USING btree ("credit","amount_cents") WHERE credit_after_cents IS NULL;--> statement-breakpoint
CREATE INDEX "turns_conversation" ON "turns" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "views_agent" ON "views" USING btree ("agent_id","day");--> statement-breakpoint
CREATE INDEX "webhook_logs_webhook" ON "webhook_logs" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_logs_expiry" ON "webhook_logs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhooks_agent" ON "webhooks" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "webhooks_off" ON "webhooks" USING btree ("id") WHERE active = 0;