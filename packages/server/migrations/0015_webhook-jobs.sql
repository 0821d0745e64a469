-- Messages to webhooks are jobs. Those that wait become jobs; the jobs before only named their rows.
ALTER TABLE "webhooks" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
DO $$
BEGIN
	IF to_regclass('pgboss.job') IS NOT NULL THEN
		DELETE FROM pgboss.job WHERE name = 'webhook';
		INSERT INTO pgboss.job (name, policy, data, start_after, expire_seconds, heartbeat_seconds,
			retry_limit, retry_delay, retry_backoff, retry_delay_max)
		SELECT 'webhook', 'standard', jsonb_build_object('userId', d.user_id, 'webhookId', w.id, 'deliveryId', d.id,
			'body', d.body, 'attempts', d.attempts), d.due_at, 60, 10, 1000000, 5, true, 300
		FROM webhook_deliveries d JOIN webhooks w USING (user_id)
		WHERE EXISTS (SELECT FROM pgboss.queue WHERE name = 'webhook');
	END IF;
END
$$;--> statement-breakpoint
DROP TABLE "webhook_deliveries" CASCADE;
