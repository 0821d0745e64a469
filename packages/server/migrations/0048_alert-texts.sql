ALTER TABLE "alerts" ADD COLUMN "digest_hour" smallint;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "row_text" text DEFAULT '' NOT NULL;