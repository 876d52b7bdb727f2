CREATE TABLE "sends" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"from_id" text COLLATE "C" NOT NULL,
	"to_id" text COLLATE "C" NOT NULL,
	"amount_cents" bigint NOT NULL,
	"note" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
