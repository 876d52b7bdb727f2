CREATE TABLE "earlier_deliverables" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"escrow_id" text COLLATE "C" NOT NULL,
	"milestone_index" bigint NOT NULL,
	"n" bigint NOT NULL,
	"deliverable" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "earlier_deliverables_escrow" ON "earlier_deliverables" USING btree ("escrow_id");