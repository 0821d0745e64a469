CREATE TABLE "record_added" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"sync_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "record_added_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"external_ids" text[] NOT NULL,
	CONSTRAINT "record_added_user_id_sync_id_place_pk" PRIMARY KEY("user_id","sync_id","place")
);
--> statement-breakpoint
-- What was a row an id is one a run.
INSERT INTO "record_added" (user_id, connection_id, sync_id, entity, external_ids)
SELECT user_id, connection_id, sync_id, entity, array_agg(external_id) FROM "record_undo" WHERE NOT existed GROUP BY 1, 2, 3, 4;--> statement-breakpoint
DELETE FROM "record_undo" WHERE NOT existed;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "scopes" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "occurred_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "hash" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "facets" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "data" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "created_sync" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" ALTER COLUMN "changed_sync" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "record_undo" DROP COLUMN "existed";