CREATE TABLE `aliases` (
	`name_key` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `aliases_account` ON `aliases` (`account_id`);--> statement-breakpoint
CREATE TABLE `import_links` (
	`source` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`local_id` integer NOT NULL,
	`digest` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`source`, `kind`, `key`)
);
--> statement-breakpoint
CREATE INDEX `import_links_local` ON `import_links` (`kind`,`local_id`);--> statement-breakpoint
CREATE TABLE `import_runs` (
	`source` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`cursor` text DEFAULT '' NOT NULL,
	`holder` text DEFAULT '' NOT NULL,
	`until` integer DEFAULT 0 NOT NULL,
	`began_at` integer NOT NULL,
	`ended_at` integer,
	`counts` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `suspensions` (
	`account_id` integer NOT NULL,
	`scope` text DEFAULT 'all' NOT NULL,
	`until` integer,
	`reason` text DEFAULT '' NOT NULL,
	`issuer` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `scope`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `suspensions_until` ON `suspensions` (`until`) WHERE "suspensions"."until" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `delete_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_ending` ON `accounts` (`delete_at`) WHERE "accounts"."delete_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_other_hashes` ON `accounts` (`id`) WHERE substr("accounts"."password_hash", 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$';--> statement-breakpoint
CREATE INDEX `accounts_to_claim` ON `accounts` (`id`) WHERE "accounts"."password_hash" IS NULL AND "accounts"."mail" IS NULL;--> statement-breakpoint
DROP INDEX `codes_expiry`;--> statement-breakpoint
CREATE INDEX `codes_ending` ON `codes` (`purpose`,`expires_at`);