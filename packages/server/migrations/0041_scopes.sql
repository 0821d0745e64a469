CREATE TABLE "sources" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"scopes" text[] NOT NULL,
	"since" text,
	CONSTRAINT "sources_user_id_connection_id_entity_pk" PRIMARY KEY("user_id","connection_id","entity")
);
--> statement-breakpoint
CREATE TABLE "sync_scopes" (
	"user_id" uuid NOT NULL,
	"sync_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"message" text,
	"summary" jsonb DEFAULT '{}' NOT NULL,
	CONSTRAINT "sync_scopes_user_id_sync_id_place_pk" PRIMARY KEY("user_id","sync_id","place")
);
--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "sync_cursors" ADD COLUMN "since" text;--> statement-breakpoint
ALTER TABLE "sync_cursors" ADD COLUMN "records" integer;--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "given_scopes" text[];--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "place" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "scope_count" integer;--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "totals" jsonb;--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "since" text;