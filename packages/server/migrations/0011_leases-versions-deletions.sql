CREATE TABLE "deletions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"connection_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"swept_at" timestamp with time zone,
	"claimed_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "renewal_owner" uuid;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "renewal_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quota_grants" ADD COLUMN "spendable_until" timestamp (6) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" ADD COLUMN "facets_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "record_versions" ADD COLUMN "facets_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "facets_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "failure" text;--> statement-breakpoint
CREATE INDEX "deletions_oldest" ON "deletions" USING btree ("created_at");
--> statement-breakpoint
-- Runs that ended before are told apart by their sentence, once and for all.
UPDATE "syncs" SET "failure" = CASE WHEN starts_with("summary"->>'errMessage', 'Cancelled') THEN 'cancelled' ELSE 'error' END WHERE "status" = 'failed';--> statement-breakpoint
-- Grants units of a connection's quota in one round trip: settles earlier grants, then grants as many multiples of
-- `least` as there is room for, `most` at most. By the database's clock, which all processes share.
CREATE FUNCTION "grant_quota"(
	of_user uuid, of_connection uuid, least_units float8, most_units float8, per_window float8,
	spend_ms float8, window_ms float8, settled_ids text[], settled_units float8[]
) RETURNS TABLE (granted float8, wait_ms float8, id text)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	this_moment timestamptz;
	used_units float8;
	kept_for interval := make_interval(secs => window_ms / 1000);
BEGIN
	-- Each statement below sees what was committed before the lock was had.
	PERFORM pg_advisory_xact_lock(hashtextextended(of_connection::text, 2));
	this_moment := clock_timestamp();
	UPDATE quota_grants g SET units = g.units - s.units, spendable_until = least(g.spendable_until, this_moment)
	FROM unnest(settled_ids::timestamptz[], settled_units) s(granted_at, units)
	WHERE g.user_id = of_user AND g.connection_id = of_connection AND g.granted_at = s.granted_at;
	DELETE FROM quota_grants g
	WHERE g.user_id = of_user AND g.connection_id = of_connection AND g.spendable_until + kept_for <= this_moment;
	SELECT coalesce(sum(g.units), 0) INTO used_units FROM quota_grants g
	WHERE g.user_id = of_user AND g.connection_id = of_connection;
	granted := least_units * floor(least(most_units, per_window - used_units) / least_units);
	IF granted >= least_units THEN
		INSERT INTO quota_grants (user_id, connection_id, granted_at, units, spendable_until)
		VALUES (of_user, of_connection, this_moment, granted, this_moment + make_interval(secs => spend_ms / 1000));
		wait_ms := 0;
		id := this_moment::text;
	ELSE
		-- The last of the grants that must have ended before there is room.
		granted := 0;
		SELECT extract(epoch FROM max(g.spendable_until) + kept_for - this_moment) * 1000 INTO wait_ms FROM (
			SELECT q.spendable_until, sum(q.units) OVER (ORDER BY q.spendable_until DESC, q.granted_at DESC) AS since
			FROM quota_grants q WHERE q.user_id = of_user AND q.connection_id = of_connection
		) g WHERE g.since + least_units > per_window;
	END IF;
	RETURN NEXT;
END
$$;--> statement-breakpoint
-- Facets of an older extraction may hold other texts than templates expect: what cannot be cast is null.
CREATE FUNCTION "instant_or_null"(value text) RETURNS timestamptz LANGUAGE plpgsql STABLE STRICT AS $$
BEGIN
	RETURN value::timestamptz;
EXCEPTION WHEN data_exception THEN
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE FUNCTION "integer_or_null"(value text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT CASE WHEN value ~ '^-?[0-9]{1,9}$' THEN value::integer END
$$;--> statement-breakpoint
CREATE FUNCTION "boolean_or_null"(value text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT CASE value WHEN 'true' THEN true WHEN 'false' THEN false END
$$;--> statement-breakpoint
CREATE FUNCTION "number_or_null"(value text) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT CASE WHEN value ~ '^-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,2})?$' THEN value::double precision END
$$;
