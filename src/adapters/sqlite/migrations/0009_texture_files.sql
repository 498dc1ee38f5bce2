CREATE TABLE `dropped_files` (
	`file` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dropped_files_at` ON `dropped_files` (`at`);--> statement-breakpoint
CREATE TABLE `marks` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
-- The community's id.
INSERT INTO `marks` (`name`, `value`) VALUES ('community', lower(hex(randomblob(16))));--> statement-breakpoint
ALTER TABLE `textures` ADD `file` text DEFAULT '' NOT NULL;--> statement-breakpoint
-- Files of releases before have the name of their bitmap.
UPDATE `textures` SET `file` = `hash`;
