ALTER TABLE "players" ADD COLUMN IF NOT EXISTS "offline_uuid" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN IF NOT EXISTS "shares_skin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "players_offline_uuid" ON "players" USING btree ("offline_uuid");