CREATE TABLE `service_time` (
	`id` text PRIMARY KEY NOT NULL,
	`offset_ms` integer NOT NULL,
	`mover` text,
	`moving_until` integer NOT NULL
);
