CREATE TABLE `codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`hash` text NOT NULL,
	`mail` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `codes_hash_unique` ON `codes` (`hash`);--> statement-breakpoint
CREATE INDEX `codes_expiry` ON `codes` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `codes_purpose` ON `codes` (`account_id`,`purpose`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`recipient` text NOT NULL,
	`recipient_key` text NOT NULL,
	`language` text NOT NULL,
	`template` text NOT NULL,
	`content` text,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`last_reply` text
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`state`,`due_at`);--> statement-breakpoint
CREATE INDEX `outbox_recipient` ON `outbox` (`recipient_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_content` ON `outbox` (`created_at`) WHERE "outbox"."content" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `language` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_used_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `address` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `user_agent` text DEFAULT '' NOT NULL;