CREATE TABLE `former_uuids` (
	`uuid` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_at` ON `events` (`at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`address` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer DEFAULT 0 NOT NULL,
	`delivered_at` integer DEFAULT 0 NOT NULL,
	`last_error` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `players_max` integer;--> statement-breakpoint
ALTER TABLE `players` ADD `own_cape_id` integer REFERENCES capes(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `players` ADD `hides_cape` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- As on insertion: a uuid names one account at most.
CREATE TRIGGER `players_uuid_still_free` BEFORE UPDATE OF `uuid` ON `players` WHEN EXISTS (SELECT 1 FROM `accounts` WHERE `uuid` = new.uuid AND `id` <> new.account_id) BEGIN
  SELECT RAISE(ABORT, 'players.uuid is that of another account');
END;
--> statement-breakpoint
CREATE INDEX `players_own_cape` ON `players` (`own_cape_id`) WHERE "players"."own_cape_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `service_tokens` ADD `may` text DEFAULT '["find","permission"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `token_hash` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `client_token` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `refresh_only` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
ALTER TABLE `capes` ADD `wings_hash` text REFERENCES textures(hash);--> statement-breakpoint
ALTER TABLE `capes` ADD `wings_sought` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `capes_wings` ON `capes` (`wings_hash`) WHERE "capes"."wings_hash" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `capes_wings_unsought` ON `capes` (`id`) WHERE NOT "capes"."wings_sought";