CREATE INDEX `accounts_last_seen` ON `accounts` (`last_seen_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`actor_account_id`,`at`);--> statement-breakpoint
-- Only ended sessions were written to accounts before.
UPDATE `accounts` SET `last_seen_at` = `uses`.`at`
FROM (SELECT `account_id`, max(`last_used_at`) AS `at` FROM `sessions` GROUP BY `account_id`) AS `uses`
WHERE `accounts`.`id` = `uses`.`account_id` AND `uses`.`at` > coalesce(`accounts`.`last_seen_at`, 0);
