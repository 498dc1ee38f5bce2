ALTER TABLE `players` ADD `offline_uuid` text;--> statement-breakpoint
ALTER TABLE `players` ADD `shares_skin` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `players_offline_uuid` ON `players` (`offline_uuid`);