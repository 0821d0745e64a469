ALTER TABLE "record_undo" ADD COLUMN "extraction" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "extraction" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The extraction of all searched entities before this column. Mails have a later one now, so that their alerts begin again.
UPDATE "alerts" SET "extraction" = 2;
