ALTER TABLE "alerts" ADD COLUMN "condition" jsonb;--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "number" double precision;