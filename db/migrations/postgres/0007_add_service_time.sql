CREATE TABLE "service_time" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"offset_ms" bigint NOT NULL,
	"mover" text COLLATE "C",
	"moving_until" bigint NOT NULL
);
