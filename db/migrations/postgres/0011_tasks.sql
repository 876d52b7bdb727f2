CREATE TABLE "task_updates" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"task_id" text COLLATE "C" NOT NULL,
	"n" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"message" text,
	"artifact" text,
	"created_at" bigint NOT NULL
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
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"expires_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "opener_tasks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "other_tasks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "task_updates_n" ON "task_updates" USING btree ("task_id","n");--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_client" ON "tasks" USING btree ("sender_id","client_id") WHERE client_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "tasks_sender" ON "tasks" USING btree ("sender_id","updated_at");--> statement-breakpoint
CREATE INDEX "tasks_target" ON "tasks" USING btree ("target_id","updated_at");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("conversation_id","target_id") WHERE expires_at IS NULL;--> statement-breakpoint
CREATE INDEX "tasks_expiry" ON "tasks" USING btree ("expires_at") WHERE expires_at IS NOT NULL;