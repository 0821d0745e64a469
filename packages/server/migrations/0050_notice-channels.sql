ALTER TABLE "users" ADD COLUMN "notice_mails" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "format" text DEFAULT 'json' NOT NULL;