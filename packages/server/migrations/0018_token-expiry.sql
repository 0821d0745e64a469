ALTER TABLE "connections" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "expiry_notified_at" timestamp with time zone;