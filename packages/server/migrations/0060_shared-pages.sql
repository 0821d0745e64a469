ALTER TABLE "api_tokens" ADD COLUMN "board_id" uuid;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "password_hash" text;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD COLUMN "frame_ancestors" jsonb DEFAULT '[]'::jsonb NOT NULL;