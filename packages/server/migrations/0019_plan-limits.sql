ALTER TABLE "sync_cursors" ALTER COLUMN "cap" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "syncs" ALTER COLUMN "cap" DROP NOT NULL;