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
ALTER TABLE "tasks" ADD COLUMN "push_configs" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "forwards_thread" ON "forwards" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "forwards_task" ON "forwards" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "forwards_answer" ON "forwards" USING btree ("answer_id");--> statement-breakpoint
CREATE INDEX "forwards_expiry" ON "forwards" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "push_configs_task" ON "push_configs" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "push_configs_expiry" ON "push_configs" USING btree ("expires_at") WHERE expires_at IS NOT NULL;