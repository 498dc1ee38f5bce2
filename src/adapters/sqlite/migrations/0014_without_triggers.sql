-- The stores say what is counted, copies of mails to everybody too, when an account was seen last and which uuids are free, as they do on PostgreSQL.
DROP TRIGGER `accounts_counted`;--> statement-breakpoint
DROP TRIGGER `accounts_uncounted`;--> statement-breakpoint
DROP TRIGGER `skins_counted`;--> statement-breakpoint
DROP TRIGGER `skins_uncounted`;--> statement-breakpoint
DROP TRIGGER `capes_counted`;--> statement-breakpoint
DROP TRIGGER `capes_uncounted`;--> statement-breakpoint
DROP TRIGGER `audit_entries_counted`;--> statement-breakpoint
DROP TRIGGER `audit_entries_uncounted`;--> statement-breakpoint
DROP TRIGGER `unconfirmed_counted`;--> statement-breakpoint
DROP TRIGGER `unconfirmed_changed`;--> statement-breakpoint
DROP TRIGGER `unconfirmed_uncounted`;--> statement-breakpoint
DROP TRIGGER `accounts_registered`;--> statement-breakpoint
DROP TRIGGER `sessions_opened`;--> statement-breakpoint
DROP TRIGGER `sessions_ended`;--> statement-breakpoint
DROP TRIGGER `accounts_uuid_free`;--> statement-breakpoint
DROP TRIGGER `players_uuid_free`;--> statement-breakpoint
DROP TRIGGER `players_uuid_still_free`;--> statement-breakpoint
DROP TRIGGER `copies_counted`;--> statement-breakpoint
DROP TRIGGER `copies_changed`;--> statement-breakpoint
DROP TRIGGER `copies_uncounted`;
