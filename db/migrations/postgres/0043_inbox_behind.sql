ALTER TABLE "inboxes" ADD COLUMN "delivered_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "inboxes" ADD COLUMN "behind" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "inboxes" ADD COLUMN "lease_until" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "inboxes" SET "delivered_seq" = coalesce((SELECT c.seq FROM "delivery_cursors" AS c WHERE c.id = "inboxes"."id"), 0);--> statement-breakpoint
UPDATE "inboxes" SET "behind" = 1 WHERE "delivered_seq" < "last_seq";--> statement-breakpoint
DROP TABLE "delivery_cursors" CASCADE;--> statement-breakpoint
DROP INDEX "api_keys_account";--> statement-breakpoint
DROP INDEX "blocks_agent";--> statement-breakpoint
DROP INDEX "deal_reviews_about";--> statement-breakpoint
DROP INDEX "disputes_escrow";--> statement-breakpoint
DROP INDEX "escrows_buyer";--> statement-breakpoint
DROP INDEX "escrows_seller";--> statement-breakpoint
DROP INDEX "fundings_agent";--> statement-breakpoint
DROP INDEX "matches_offer_agent";--> statement-breakpoint
DROP INDEX "matches_seek_agent";--> statement-breakpoint
DROP INDEX "oauth_grants_account";--> statement-breakpoint
DROP INDEX "partners_agent";--> statement-breakpoint
DROP INDEX "payouts_agent";--> statement-breakpoint
DROP INDEX "plan_checkouts_account";--> statement-breakpoint
DROP INDEX "reviews_listing";--> statement-breakpoint
DROP INDEX "reviews_reporter";--> statement-breakpoint
DROP INDEX "sessions_account";--> statement-breakpoint
DROP INDEX "subscription_charges_subscription";--> statement-breakpoint
DROP INDEX "subscriptions_buyer";--> statement-breakpoint
DROP INDEX "subscriptions_seller";--> statement-breakpoint
CREATE INDEX "challenges_expiry" ON "challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "codes_expiry" ON "codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "conversations_pair" ON "conversations" USING btree ("other_id","opener_id");--> statement-breakpoint
CREATE INDEX "conversations_opener_tasks" ON "conversations" USING btree ("opener_id") WHERE opener_tasks + other_tasks > 0;--> statement-breakpoint
CREATE INDEX "conversations_other_tasks" ON "conversations" USING btree ("other_id") WHERE opener_tasks + other_tasks > 0;--> statement-breakpoint
CREATE INDEX "disputes_live" ON "disputes" USING btree ("id") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "escrows_buyer_open" ON "escrows" USING btree ("buyer_id") WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX "fundings_paid" ON "fundings" USING btree ("paid_at","id") WHERE paid_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "inboxes_behind" ON "inboxes" USING btree ("id") WHERE behind = 1;--> statement-breakpoint
CREATE INDEX "listing_vectors_model" ON "listing_vectors" USING btree ("model");--> statement-breakpoint
CREATE INDEX "matches_offer_newest" ON "matches" USING btree ("offer_agent_id","match_id");--> statement-breakpoint
CREATE INDEX "matches_seek_newest" ON "matches" USING btree ("seek_agent_id","match_id");--> statement-breakpoint
CREATE INDEX "matches_pair" ON "matches" USING btree ("offer_agent_id","seek_agent_id");--> statement-breakpoint
CREATE INDEX "oauth_clients_expiry" ON "oauth_clients" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_grants_expiry" ON "oauth_grants" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "plan_checkouts_status" ON "plan_checkouts" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "blocks_agent" ON "blocks" USING btree ("agent_id","blocked_id");--> statement-breakpoint
CREATE INDEX "deal_reviews_about" ON "deal_reviews" USING btree ("about_id","created_at");--> statement-breakpoint
CREATE INDEX "disputes_escrow" ON "disputes" USING btree ("escrow_id","id");--> statement-breakpoint
CREATE INDEX "escrows_buyer" ON "escrows" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "escrows_seller" ON "escrows" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "fundings_agent" ON "fundings" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "matches_offer_agent" ON "matches" USING btree ("offer_agent_id","score_ppm","id");--> statement-breakpoint
CREATE INDEX "matches_seek_agent" ON "matches" USING btree ("seek_agent_id","score_ppm","id");--> statement-breakpoint
CREATE INDEX "oauth_grants_account" ON "oauth_grants" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "partners_agent" ON "partners" USING btree ("agent_id","deals","id");--> statement-breakpoint
CREATE INDEX "payouts_agent" ON "payouts" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "plan_checkouts_account" ON "plan_checkouts" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "reviews_listing" ON "reviews" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "reviews_reporter" ON "reviews" USING btree ("reporter_id","id");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "subscription_charges_subscription" ON "subscription_charges" USING btree ("subscription_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_buyer" ON "subscriptions" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "subscriptions_seller" ON "subscriptions" USING btree ("seller_id","id");