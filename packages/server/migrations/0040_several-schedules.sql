-- An entity has several schedules, each with an id, which their jobs name. A job without a schedule would do nothing.
ALTER TABLE "schedules" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "cron" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "last_sync" uuid;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "last_start_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "schedules" DROP CONSTRAINT "schedules_user_id_connection_id_entity_pk";--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_user_id_id_pk" PRIMARY KEY("user_id","id");--> statement-breakpoint
CREATE INDEX "schedules_source" ON "schedules" USING btree ("user_id","connection_id","entity");--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_interval" ON "schedules" USING btree ("user_id","connection_id","entity") WHERE "every" <> 'cron';--> statement-breakpoint
DO $$
BEGIN
	IF to_regclass('pgboss.job') IS NOT NULL THEN
		UPDATE pgboss.job j SET singleton_key = s.user_id || '/' || s.id,
			data = jsonb_build_object('userId', s.user_id, 'scheduleId', s.id)
		FROM schedules s
		WHERE j.name = 'schedule' AND j.state <= 'active' AND j.data->>'userId' = s.user_id::text
			AND j.data->>'connectionId' = s.connection_id::text AND j.data->>'entity' = s.entity;
		DELETE FROM pgboss.job WHERE name = 'schedule' AND data->>'scheduleId' IS NULL;
	END IF;
END
$$;
