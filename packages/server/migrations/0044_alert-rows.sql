ALTER TABLE "alert_deliveries" ADD COLUMN "new_keys" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "delivery_id" uuid;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "rows" jsonb DEFAULT '[]'::jsonb NOT NULL;