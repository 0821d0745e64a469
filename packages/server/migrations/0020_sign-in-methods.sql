ALTER TABLE "auth_attempts" ADD COLUMN "session_hash" text;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "created_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
-- Until now, an account had one identity, which created it.
UPDATE "identities" SET "provider" = coalesce(u."sign_in_provider", ''), "email" = u."email", "created_at" = u."created_at"
FROM "users" u WHERE u."id" = "identities"."user_id";--> statement-breakpoint
ALTER TABLE "identities" ALTER COLUMN "provider" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ALTER COLUMN "email" SET NOT NULL;
