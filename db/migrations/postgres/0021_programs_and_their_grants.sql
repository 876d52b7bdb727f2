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
	"refresh_hash" text COLLATE "C",
	"used_at" bigint,
	"created_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "oauth_grants_account" ON "oauth_grants" USING btree ("account_id");