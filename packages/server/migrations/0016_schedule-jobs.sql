-- A job waits for each schedule's next time, and a failed run is reported by a job of the transaction that ends it.
-- Failures that were not reported yet become such jobs.
DO $$
BEGIN
	IF to_regclass('pgboss.job') IS NOT NULL AND EXISTS (SELECT FROM schedules WHERE running_sync IS NOT NULL) THEN
		PERFORM pgboss.create_queue('scheduled-failure', '{"policy": "standard"}');
		INSERT INTO pgboss.job (name, policy, data, expire_seconds, heartbeat_seconds,
			retry_limit, retry_delay, retry_backoff, retry_delay_max)
		SELECT 'scheduled-failure', 'standard', jsonb_build_object('userId', s.user_id, 'connectionId', s.connection_id,
			'entity', s.entity, 'syncId', r.id, 'message', r.summary->>'errMessage', 'at', r.updated_at),
			60, 10, 1000000, 5, true, 300
		FROM schedules s JOIN syncs r ON r.user_id = s.user_id AND r.id = s.running_sync
		WHERE r.status = 'failed' AND r.failure = 'error';
	END IF;
END
$$;--> statement-breakpoint
DROP INDEX "schedules_due";--> statement-breakpoint
ALTER TABLE "schedules" DROP COLUMN "running_sync";
