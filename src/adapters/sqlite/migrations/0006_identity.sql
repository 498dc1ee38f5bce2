-- Columns are added in place: rebuilding the tables would drop the triggers that keep search and counts.
CREATE TABLE `change` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "change_kind" CHECK("change"."kind" IN ('player', 'skin', 'cape', 'texture'))
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `registration` text DEFAULT 'unconfirmed' NOT NULL CONSTRAINT "accounts_registration" CHECK("registration" IN ('unconfirmed', 'unnamed', 'complete'));--> statement-breakpoint
ALTER TABLE `accounts` ADD `main_player_id` integer REFERENCES players(id) ON DELETE set null;--> statement-breakpoint
UPDATE `accounts` SET `main_player_id` = (SELECT min(`id`) FROM `players` WHERE `account_id` = `accounts`.`id`);--> statement-breakpoint
-- A derived name without a password marked an account that came from a social provider and was not finished.
UPDATE `accounts` SET `registration` = CASE
  WHEN `main_player_id` IS NULL THEN iif(`mail_verified`, 'unnamed', 'unconfirmed')
  WHEN `password_hash` IS NULL AND (SELECT `name_derived` FROM `players` WHERE `id` = `main_player_id`) THEN 'unnamed'
  ELSE 'complete' END;--> statement-breakpoint
DROP INDEX `accounts_unconfirmed`;--> statement-breakpoint
CREATE INDEX `accounts_unconfirmed` ON `accounts` (`created_at`) WHERE "accounts"."registration" = 'unconfirmed';--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_main_player_id_unique` ON `accounts` (`main_player_id`);--> statement-breakpoint
-- A uuid names one account at most: the one that has it, or the one whose player has it.
CREATE TRIGGER `accounts_uuid_free` BEFORE INSERT ON `accounts` WHEN EXISTS (SELECT 1 FROM `players` WHERE `uuid` = new.uuid) BEGIN
  SELECT RAISE(ABORT, 'accounts.uuid is that of a player');
END;
--> statement-breakpoint
CREATE TRIGGER `players_uuid_free` BEFORE INSERT ON `players` WHEN EXISTS (SELECT 1 FROM `accounts` WHERE `uuid` = new.uuid AND `id` <> new.account_id) BEGIN
  SELECT RAISE(ABORT, 'players.uuid is that of another account');
END;
--> statement-breakpoint
-- The search holds the names of all players of an account, a line each; a search text never has a line break.
DROP TRIGGER `users_search_player`;--> statement-breakpoint
DROP TRIGGER `users_search_name`;--> statement-breakpoint
CREATE TRIGGER `users_search_player` AFTER INSERT ON `players` BEGIN
  UPDATE `users_search` SET name = (SELECT group_concat(name, char(10)) FROM `players` WHERE account_id = new.account_id) WHERE rowid = new.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_name` AFTER UPDATE OF `name` ON `players` BEGIN
  UPDATE `users_search` SET name = (SELECT group_concat(name, char(10)) FROM `players` WHERE account_id = new.account_id) WHERE rowid = new.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_player_gone` AFTER DELETE ON `players` WHEN EXISTS (SELECT 1 FROM `accounts` WHERE id = old.account_id) BEGIN
  UPDATE `users_search` SET name = coalesce((SELECT group_concat(name, char(10)) FROM `players` WHERE account_id = old.account_id), '') WHERE rowid = old.account_id;
END;
--> statement-breakpoint
ALTER TABLE `sessions` ADD `kind` text DEFAULT 'web' NOT NULL CONSTRAINT "sessions_kind" CHECK("kind" IN ('web', 'game'));--> statement-breakpoint
ALTER TABLE `sessions` ADD `player_id` integer REFERENCES players(id) ON DELETE cascade;--> statement-breakpoint
ALTER TABLE `sessions` ADD `methods` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `proved_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- An account with a password and a social identity may have used either: that stays empty.
UPDATE `sessions` SET `proved_at` = `created_at`, `methods` = (
  SELECT CASE
    WHEN password_hash IS NOT NULL AND provider IS NULL THEN json_array('password')
    WHEN password_hash IS NULL AND provider IS NOT NULL THEN json_array('social:' || provider)
    ELSE '[]' END
  FROM `accounts` LEFT JOIN `identities` ON identities.account_id = accounts.id WHERE accounts.id = sessions.account_id);--> statement-breakpoint
CREATE INDEX `sessions_player` ON `sessions` (`player_id`) WHERE "sessions"."player_id" IS NOT NULL;
