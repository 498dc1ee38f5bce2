CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`mail` text,
	`mail_key` text,
	`mail_verified` integer NOT NULL,
	`password_hash` text,
	`level` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "accounts_level" CHECK("accounts"."level" BETWEEN 1 AND 3)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_uuid_unique` ON `accounts` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_mail_key_unique` ON `accounts` (`mail_key`);--> statement-breakpoint
CREATE INDEX `accounts_staff` ON `accounts` (`level`) WHERE "accounts"."level" > 1;--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`issuer` text NOT NULL,
	`action` text NOT NULL,
	`for_account_id` integer NOT NULL,
	`at` integer NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `held_names` (
	`name_key` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`held_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `players` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`selected_skin_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`selected_skin_id`) REFERENCES `skins`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `players_uuid_unique` ON `players` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `players_name_key_unique` ON `players` (`name_key`);--> statement-breakpoint
CREATE INDEX `players_account` ON `players` (`account_id`);--> statement-breakpoint
CREATE INDEX `players_selected_skin` ON `players` (`selected_skin_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `cape_grants` (
	`account_id` integer NOT NULL,
	`cape_id` integer NOT NULL,
	`granted_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `cape_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`cape_id`) REFERENCES `capes`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cape_grants_cape` ON `cape_grants` (`cape_id`);--> statement-breakpoint
CREATE TABLE `capes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`texture_hash` text NOT NULL,
	`name` text NOT NULL,
	`uploaded_by` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`texture_hash`) REFERENCES `textures`(`hash`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `capes_uuid_unique` ON `capes` (`uuid`);--> statement-breakpoint
CREATE INDEX `capes_texture` ON `capes` (`texture_hash`);--> statement-breakpoint
CREATE TABLE `skins` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`account_id` integer NOT NULL,
	`texture_hash` text NOT NULL,
	`name` text NOT NULL,
	`model` text NOT NULL,
	`cape_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`texture_hash`) REFERENCES `textures`(`hash`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cape_id`) REFERENCES `capes`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "skins_model" CHECK("skins"."model" IN ('classic', 'slim'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `skins_uuid_unique` ON `skins` (`uuid`);--> statement-breakpoint
CREATE INDEX `skins_account` ON `skins` (`account_id`);--> statement-breakpoint
CREATE INDEX `skins_texture` ON `skins` (`texture_hash`);--> statement-breakpoint
CREATE INDEX `skins_cape` ON `skins` (`cape_id`);--> statement-breakpoint
CREATE TABLE `textures` (
	`hash` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL
);
