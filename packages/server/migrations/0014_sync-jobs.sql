DROP INDEX "syncs_leases";--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "job_id" uuid;--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "job_attempt" integer;--> statement-breakpoint
ALTER TABLE "syncs" DROP COLUMN "lease_owner";--> statement-breakpoint
ALTER TABLE "syncs" DROP COLUMN "lease_until";