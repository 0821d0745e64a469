CREATE TABLE "connector_clients" (
	"user_id" uuid NOT NULL,
	"id" uuid PRIMARY KEY NOT NULL,
	"connector_key" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed" jsonb NOT NULL,
	CONSTRAINT "connector_clients_connectorKey_unique" UNIQUE("connector_key")
);
--> statement-breakpoint
CREATE TABLE "connector_recordings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "connector_recordings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"connector_key" text NOT NULL,
	"entity" text NOT NULL,
	"records" integer NOT NULL,
	"answer" json NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connector_versions" (
	"connector_key" text NOT NULL,
	"version" integer NOT NULL,
	"document" text NOT NULL,
	"stored_names" json NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_by" uuid NOT NULL,
	CONSTRAINT "connector_versions_connector_key_version_pk" PRIMARY KEY("connector_key","version")
);
--> statement-breakpoint
CREATE TABLE "connectors" (
	"key" text PRIMARY KEY NOT NULL,
	"version" integer,
	"withdrawn_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"draft" text,
	"draft_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ALTER COLUMN "account_id" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "connector_recordings_of" ON "connector_recordings" USING btree ("connector_key","id");