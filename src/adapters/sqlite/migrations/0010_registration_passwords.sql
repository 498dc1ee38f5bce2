CREATE TABLE `registration_passwords` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`password_hash` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `registration_passwords_account` ON `registration_passwords` (`account_id`);--> statement-breakpoint
-- Releases before kept a registration's password with its code alone.
INSERT INTO `registration_passwords` (`account_id`, `password_hash`)
SELECT `codes`.`account_id`, `codes`.`password_hash` FROM `codes`
JOIN `accounts` ON `accounts`.`id` = `codes`.`account_id`
WHERE `codes`.`password_hash` IS NOT NULL AND `accounts`.`password_hash` IS NULL
ORDER BY `codes`.`id`;
