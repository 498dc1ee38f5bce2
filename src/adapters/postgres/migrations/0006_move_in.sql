CREATE TABLE IF NOT EXISTS "aliases" (
	"name_key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "suspensions" (
	"account_id" bigint NOT NULL,
	"scope" text COLLATE "C" DEFAULT 'all' NOT NULL,
	"until" bigint,
	"reason" text COLLATE "C" DEFAULT '' NOT NULL,
	"issuer" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "suspensions_account_id_scope_pk" PRIMARY KEY("account_id","scope")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "import_links" (
	"source" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"local_id" bigint NOT NULL,
	"digest" text COLLATE "C" DEFAULT '' NOT NULL,
	CONSTRAINT "import_links_source_kind_key_pk" PRIMARY KEY("source","kind","key")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "import_runs" (
	"source" text COLLATE "C" PRIMARY KEY NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"cursor" text COLLATE "C" DEFAULT '' NOT NULL,
	"holder" text COLLATE "C" DEFAULT '' NOT NULL,
	"until" bigint DEFAULT 0 NOT NULL,
	"began_at" bigint NOT NULL,
	"ended_at" bigint,
	"counts" text COLLATE "C" DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN IF NOT EXISTS "delete_at" bigint;--> statement-breakpoint
ALTER TABLE "aliases" ADD CONSTRAINT "aliases_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suspensions" ADD CONSTRAINT "suspensions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "aliases_account" ON "aliases" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "suspensions_until" ON "suspensions" USING btree ("until") WHERE "suspensions"."until" IS NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "import_links_local" ON "import_links" USING btree ("kind","local_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "accounts_ending" ON "accounts" USING btree ("delete_at") WHERE "accounts"."delete_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "accounts_other_hashes" ON "accounts" USING btree ("id") WHERE substr("accounts"."password_hash", 1, 31) <> '$argon2id$v=19$m=19456,t=2,p=1$';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "accounts_to_claim" ON "accounts" USING btree ("id") WHERE "accounts"."password_hash" IS NULL AND "accounts"."mail" IS NULL;--> statement-breakpoint
DROP INDEX IF EXISTS "codes_expiry";--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "codes_ending" ON "codes" USING btree ("purpose","expires_at");