CREATE TABLE `pending_people` (
	`hash` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`username` text NOT NULL,
	`avatar` text NOT NULL,
	`verified_mail` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_people_expiry` ON `pending_people` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `pending_people_person` ON `pending_people` (`provider`,`subject`);--> statement-breakpoint
ALTER TABLE `players` ADD `name_derived` integer DEFAULT false NOT NULL;