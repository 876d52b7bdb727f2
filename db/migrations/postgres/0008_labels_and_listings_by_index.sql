CREATE INDEX "labels_uses" ON "labels" USING btree ("uses","id");--> statement-breakpoint
CREATE INDEX "listings_agent" ON "listings" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "listings_status" ON "listings" USING btree ("agent_id","status","id");--> statement-breakpoint
CREATE INDEX "listings_headline" ON "listings" USING btree ("agent_id","headline","direction","id");