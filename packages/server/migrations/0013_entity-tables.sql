CREATE TABLE "record_undo" (
	"user_id" uuid NOT NULL,
	"sync_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"id" text NOT NULL,
	"connection_id" uuid NOT NULL,
	"row" json NOT NULL,
	"hash" text NOT NULL,
	"created_sync" uuid NOT NULL,
	"changed_sync" uuid NOT NULL,
	CONSTRAINT "record_undo_user_id_sync_id_id_pk" PRIMARY KEY("user_id","sync_id","id")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "template_pages" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"template" text NOT NULL,
	"page" integer NOT NULL,
	"entity" text NOT NULL,
	"version" bigint NOT NULL,
	"computed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"count" integer NOT NULL,
	"rows" json,
	CONSTRAINT "template_pages_user_id_connection_id_template_page_pk" PRIMARY KEY("user_id","connection_id","template","page")
);
--> statement-breakpoint
ALTER TABLE "record_versions" ADD COLUMN "records" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "record_versions" ADD COLUMN "extraction" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "template_pages_oldest" ON "template_pages" USING btree ("computed_at");--> statement-breakpoint
-- Reading a document back must not cost its decompression.
ALTER TABLE "record_undo" ALTER COLUMN "row" SET STORAGE EXTERNAL;
