CREATE TABLE `texture_bans` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`issuer` text NOT NULL,
	`created_at` integer NOT NULL,
	`reason` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `texture_bans_hash_unique` ON `texture_bans` (`hash`);--> statement-breakpoint
DROP INDEX `codes_purpose`;--> statement-breakpoint
ALTER TABLE `codes` ADD `password_hash` text;--> statement-breakpoint
CREATE INDEX `codes_account` ON `codes` (`account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `codes_purpose` ON `codes` (`account_id`,`purpose`) WHERE "codes"."purpose" <> 'confirm';--> statement-breakpoint
DROP INDEX `identities_person`;--> statement-breakpoint
ALTER TABLE `identities` ADD `issuer` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `identities_person` ON `identities` (`provider`,`issuer`,`subject`);--> statement-breakpoint
DROP INDEX `pending_people_person`;--> statement-breakpoint
ALTER TABLE `pending_people` ADD `issuer` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `pending_people_person` ON `pending_people` (`provider`,`issuer`,`subject`);--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `actor_account_id` integer;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `actor_via` text;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `players` ADD `renamed_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_unconfirmed` ON `accounts` (`created_at`) WHERE "accounts"."mail_verified" = 0;--> statement-breakpoint
CREATE INDEX `held_names_account` ON `held_names` (`account_id`,`held_until`);