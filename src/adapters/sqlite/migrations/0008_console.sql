CREATE TABLE `daily_counts` (
	`day` integer NOT NULL,
	`what` text NOT NULL,
	`times` integer NOT NULL,
	PRIMARY KEY(`day`, `what`)
);
--> statement-breakpoint
ALTER TABLE `service_tokens` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `idle_seconds` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `last_seen_at` integer;--> statement-breakpoint
ALTER TABLE `bulk_mails` ADD `total` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_mails` ADD `waiting` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_mails` ADD `sent` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bulk_mails` ADD `failed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_account_time` ON `audit_entries` (`for_account_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_issuer` ON `audit_entries` (`issuer`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_action` ON `audit_entries` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_issuer_action` ON `audit_entries` (`issuer`,`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_time` ON `audit_entries` (`at`);--> statement-breakpoint
-- What the overview counts. Triggers keep it, so that no write can forget to.
CREATE TRIGGER `accounts_registered` AFTER INSERT ON `accounts` BEGIN
  INSERT INTO `daily_counts` (`day`, `what`, `times`) VALUES (new.created_at / 86400, 'registration', 1)
  ON CONFLICT DO UPDATE SET `times` = `times` + 1;
END;
--> statement-breakpoint
INSERT INTO `daily_counts` (`day`, `what`, `times`) SELECT `created_at` / 86400, 'registration', count(*) FROM `accounts` GROUP BY 1;--> statement-breakpoint
CREATE TRIGGER `sessions_opened` AFTER INSERT ON `sessions` BEGIN
  INSERT INTO `daily_counts` (`day`, `what`, `times`) VALUES (new.created_at / 86400, 'sign-in', 1)
  ON CONFLICT DO UPDATE SET `times` = `times` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_ended` AFTER DELETE ON `sessions` BEGIN
  UPDATE `accounts` SET `last_seen_at` = old.last_used_at
  WHERE `id` = old.account_id AND old.last_used_at > coalesce(`last_seen_at`, 0);
END;
--> statement-breakpoint
INSERT INTO `row_counts` (`name`, `rows`) SELECT 'accounts_unconfirmed', count(*) FROM `accounts` WHERE `registration` = 'unconfirmed';--> statement-breakpoint
CREATE TRIGGER `unconfirmed_counted` AFTER INSERT ON `accounts` WHEN new.registration = 'unconfirmed' BEGIN
  UPDATE `row_counts` SET `rows` = `rows` + 1 WHERE `name` = 'accounts_unconfirmed';
END;
--> statement-breakpoint
CREATE TRIGGER `unconfirmed_changed` AFTER UPDATE OF `registration` ON `accounts` WHEN (old.registration = 'unconfirmed') <> (new.registration = 'unconfirmed') BEGIN
  UPDATE `row_counts` SET `rows` = `rows` + iif(new.registration = 'unconfirmed', 1, -1) WHERE `name` = 'accounts_unconfirmed';
END;
--> statement-breakpoint
CREATE TRIGGER `unconfirmed_uncounted` AFTER DELETE ON `accounts` WHEN old.registration = 'unconfirmed' BEGIN
  UPDATE `row_counts` SET `rows` = `rows` - 1 WHERE `name` = 'accounts_unconfirmed';
END;
--> statement-breakpoint
UPDATE `bulk_mails` SET
  `waiting` = (SELECT count(*) FROM `outbox` WHERE `bulk_mail_id` = `bulk_mails`.`id` AND `state` = 'waiting'),
  `sent` = (SELECT count(*) FROM `outbox` WHERE `bulk_mail_id` = `bulk_mails`.`id` AND `state` = 'sent'),
  `failed` = (SELECT count(*) FROM `outbox` WHERE `bulk_mail_id` = `bulk_mails`.`id` AND `state` = 'failed');--> statement-breakpoint
UPDATE `bulk_mails` SET `total` = `waiting` + `sent` + `failed`;--> statement-breakpoint
CREATE TRIGGER `copies_counted` AFTER INSERT ON `outbox` WHEN new.bulk_mail_id IS NOT NULL BEGIN
  UPDATE `bulk_mails` SET `total` = `total` + 1, `waiting` = `waiting` + 1 WHERE `id` = new.bulk_mail_id;
END;
--> statement-breakpoint
CREATE TRIGGER `copies_changed` AFTER UPDATE OF `state` ON `outbox` WHEN new.bulk_mail_id IS NOT NULL AND new.state <> old.state BEGIN
  UPDATE `bulk_mails` SET
    `waiting` = `waiting` + (new.state = 'waiting') - (old.state = 'waiting'),
    `sent` = `sent` + (new.state = 'sent') - (old.state = 'sent'),
    `failed` = `failed` + (new.state = 'failed') - (old.state = 'failed')
  WHERE `id` = new.bulk_mail_id;
END;
--> statement-breakpoint
CREATE TRIGGER `copies_uncounted` AFTER DELETE ON `outbox` WHEN old.bulk_mail_id IS NOT NULL BEGIN
  UPDATE `bulk_mails` SET
    `waiting` = `waiting` - (old.state = 'waiting'),
    `sent` = `sent` - (old.state = 'sent'),
    `failed` = `failed` - (old.state = 'failed')
  WHERE `id` = old.bulk_mail_id;
END;
