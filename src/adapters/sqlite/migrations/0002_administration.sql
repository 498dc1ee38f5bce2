CREATE TABLE `identities` (
	`account_id` integer PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`username` text NOT NULL,
	`avatar` text NOT NULL,
	`linked_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `identities_subject` ON `identities` (`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_person` ON `identities` (`provider`,`subject`);--> statement-breakpoint
CREATE TABLE `bulk_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`issuer` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `row_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`rows` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `service_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `service_tokens_name_unique` ON `service_tokens` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `service_tokens_hash_unique` ON `service_tokens` (`hash`);--> statement-breakpoint
DROP INDEX `outbox_due`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `bulk_mail_id` integer REFERENCES bulk_mails(id);--> statement-breakpoint
CREATE INDEX `outbox_bulk_due` ON `outbox` (`state`,`due_at`) WHERE "outbox"."bulk_mail_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_bulk` ON `outbox` (`bulk_mail_id`,`state`);--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`state`,`due_at`) WHERE "outbox"."bulk_mail_id" IS NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `role_level` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `role_expires_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `wants_bulk_mail` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_roles` ON `accounts` (`role_expires_at`) WHERE "accounts"."role_expires_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `previous_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_account` ON `audit_entries` (`for_account_id`,`id`);--> statement-breakpoint
ALTER TABLE `cape_grants` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `cape_grants_expiry` ON `cape_grants` (`expires_at`) WHERE "cape_grants"."expires_at" IS NOT NULL;