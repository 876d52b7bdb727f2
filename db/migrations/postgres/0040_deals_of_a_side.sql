DROP INDEX "deals_buyer";--> statement-breakpoint
DROP INDEX "deals_seller";--> statement-breakpoint
CREATE INDEX "deals_buyer" ON "deals" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "deals_seller" ON "deals" USING btree ("seller_id","id");