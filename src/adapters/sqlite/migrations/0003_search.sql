-- What `?q=` looks through, and how long the lists are. Triggers keep both, so that no write can forget to.
CREATE VIRTUAL TABLE `users_search` USING fts5(name, mail, tokenize = 'trigram');
--> statement-breakpoint
INSERT INTO `users_search` (`users_search`, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE `skins_search` USING fts5(name, tokenize = 'trigram');
--> statement-breakpoint
INSERT INTO `skins_search` (`skins_search`, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE `capes_search` USING fts5(name, tokenize = 'trigram');
--> statement-breakpoint
INSERT INTO `capes_search` (`capes_search`, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE `audit_search` USING fts5(issuer, action, tokenize = 'trigram');
--> statement-breakpoint
INSERT INTO `audit_search` (`audit_search`, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER `users_search_account` AFTER INSERT ON `accounts` BEGIN
  INSERT INTO `users_search` (rowid, name, mail) VALUES (new.id, '', coalesce(new.mail, ''));
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_mail` AFTER UPDATE OF `mail` ON `accounts` BEGIN
  UPDATE `users_search` SET mail = coalesce(new.mail, '') WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_gone` AFTER DELETE ON `accounts` BEGIN
  DELETE FROM `users_search` WHERE rowid = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_player` AFTER INSERT ON `players` BEGIN
  UPDATE `users_search` SET name = new.name WHERE rowid = new.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER `users_search_name` AFTER UPDATE OF `name` ON `players` BEGIN
  UPDATE `users_search` SET name = new.name WHERE rowid = new.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER `skins_search_added` AFTER INSERT ON `skins` BEGIN
  INSERT INTO `skins_search` (rowid, name) VALUES (new.id, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER `skins_search_name` AFTER UPDATE OF `name` ON `skins` BEGIN
  UPDATE `skins_search` SET name = new.name WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `skins_search_gone` AFTER DELETE ON `skins` BEGIN
  DELETE FROM `skins_search` WHERE rowid = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `capes_search_added` AFTER INSERT ON `capes` BEGIN
  INSERT INTO `capes_search` (rowid, name) VALUES (new.id, new.name);
END;
--> statement-breakpoint
CREATE TRIGGER `capes_search_name` AFTER UPDATE OF `name` ON `capes` BEGIN
  UPDATE `capes_search` SET name = new.name WHERE rowid = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `capes_search_gone` AFTER DELETE ON `capes` BEGIN
  DELETE FROM `capes_search` WHERE rowid = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_search_added` AFTER INSERT ON `audit_entries` BEGIN
  INSERT INTO `audit_search` (rowid, issuer, action) VALUES (new.id, new.issuer, new.action);
END;
--> statement-breakpoint
CREATE TRIGGER `accounts_counted` AFTER INSERT ON `accounts` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` + 1 WHERE `name` = 'accounts';
END;
--> statement-breakpoint
CREATE TRIGGER `accounts_uncounted` AFTER DELETE ON `accounts` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` - 1 WHERE `name` = 'accounts';
END;
--> statement-breakpoint
INSERT INTO `row_counts` (`name`, `rows`) SELECT 'accounts', count(*) FROM `accounts`;
--> statement-breakpoint
CREATE TRIGGER `skins_counted` AFTER INSERT ON `skins` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` + 1 WHERE `name` = 'skins';
END;
--> statement-breakpoint
CREATE TRIGGER `skins_uncounted` AFTER DELETE ON `skins` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` - 1 WHERE `name` = 'skins';
END;
--> statement-breakpoint
INSERT INTO `row_counts` (`name`, `rows`) SELECT 'skins', count(*) FROM `skins`;
--> statement-breakpoint
CREATE TRIGGER `capes_counted` AFTER INSERT ON `capes` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` + 1 WHERE `name` = 'capes';
END;
--> statement-breakpoint
CREATE TRIGGER `capes_uncounted` AFTER DELETE ON `capes` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` - 1 WHERE `name` = 'capes';
END;
--> statement-breakpoint
INSERT INTO `row_counts` (`name`, `rows`) SELECT 'capes', count(*) FROM `capes`;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_counted` AFTER INSERT ON `audit_entries` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` + 1 WHERE `name` = 'audit_entries';
END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_uncounted` AFTER DELETE ON `audit_entries` BEGIN
  UPDATE `row_counts` SET `rows` = `rows` - 1 WHERE `name` = 'audit_entries';
END;
--> statement-breakpoint
INSERT INTO `row_counts` (`name`, `rows`) SELECT 'audit_entries', count(*) FROM `audit_entries`;
--> statement-breakpoint
INSERT INTO `users_search` (rowid, name, mail) SELECT `accounts`.`id`, coalesce(`players`.`name`, ''), coalesce(`accounts`.`mail`, '') FROM `accounts` LEFT JOIN `players` ON `players`.`account_id` = `accounts`.`id`;
--> statement-breakpoint
INSERT INTO `skins_search` (rowid, name) SELECT `id`, `name` FROM `skins`;
--> statement-breakpoint
INSERT INTO `capes_search` (rowid, name) SELECT `id`, `name` FROM `capes`;
--> statement-breakpoint
INSERT INTO `audit_search` (rowid, issuer, action) SELECT `id`, `issuer`, `action` FROM `audit_entries`;
