CREATE TABLE "auth_attempts" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"user_id" uuid,
	"browser_hash" text NOT NULL,
	"secrets" jsonb NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"plan" text NOT NULL,
	"sign_in_provider" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"account" text NOT NULL,
	"status" text NOT NULL,
	"is_current" boolean NOT NULL,
	"credentials" jsonb,
	"connected_at" timestamp with time zone DEFAULT now() NOT NULL,
	"not_before" timestamp with time zone,
	CONSTRAINT "connections_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "saved_queries" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"expression" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_queries_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "record_undo" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"sync_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"external_id" text NOT NULL,
	"existed" boolean NOT NULL,
	"scopes" text[],
	"occurred_at" timestamp with time zone,
	"hash" text,
	"facets" jsonb,
	"data" json,
	"created_sync" uuid,
	"changed_sync" uuid,
	CONSTRAINT "record_undo_user_id_sync_id_external_id_pk" PRIMARY KEY("user_id","sync_id","external_id")
);
--> statement-breakpoint
CREATE TABLE "record_versions" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "record_versions_user_id_connection_id_entity_pk" PRIMARY KEY("user_id","connection_id","entity")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"external_id" text NOT NULL,
	"scopes" text[] NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"hash" text NOT NULL,
	"facets" jsonb NOT NULL,
	"data" json NOT NULL,
	"created_sync" uuid NOT NULL,
	"changed_sync" uuid NOT NULL,
	CONSTRAINT "records_user_id_connection_id_entity_external_id_pk" PRIMARY KEY("user_id","connection_id","entity","external_id")
);
--> statement-breakpoint
CREATE TABLE "sync_seen" (
	"user_id" uuid NOT NULL,
	"sync_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	CONSTRAINT "sync_seen_user_id_sync_id_external_id_pk" PRIMARY KEY("user_id","sync_id","external_id")
);
--> statement-breakpoint
CREATE TABLE "sync_cursors" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"scope" text NOT NULL,
	"cursor" jsonb NOT NULL,
	"truncated" boolean NOT NULL,
	"cap" integer NOT NULL,
	"sync_id" uuid NOT NULL,
	CONSTRAINT "sync_cursors_user_id_connection_id_entity_scope_pk" PRIMARY KEY("user_id","connection_id","entity","scope")
);
--> statement-breakpoint
CREATE TABLE "sync_numbers" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sync_usage" (
	"user_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"month" text NOT NULL,
	"runs" integer NOT NULL,
	CONSTRAINT "sync_usage_user_id_entity_month_pk" PRIMARY KEY("user_id","entity","month")
);
--> statement-breakpoint
CREATE TABLE "syncs" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"entity" text NOT NULL,
	"scope" text NOT NULL,
	"settings" jsonb NOT NULL,
	"number" integer NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"cap" integer NOT NULL,
	"checkpoint" jsonb,
	"start_cursor" jsonb,
	"counters" jsonb NOT NULL,
	"phase" text NOT NULL,
	"total" integer,
	"waiting_until" timestamp with time zone,
	"summary" jsonb DEFAULT '{}' NOT NULL,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"undoable" boolean DEFAULT true NOT NULL,
	"lease_owner" uuid,
	"lease_until" timestamp with time zone,
	CONSTRAINT "syncs_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "categories_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "views" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"expression" text NOT NULL,
	"provider" text NOT NULL,
	"entity" text NOT NULL,
	"template_key" text,
	"based_on" uuid,
	"category_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "views_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "auth_attempts" ADD CONSTRAINT "auth_attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "views" ADD CONSTRAINT "views_user_id_based_on_views_user_id_id_fk" FOREIGN KEY ("user_id","based_on") REFERENCES "public"."views"("user_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auth_attempts_expiry" ON "auth_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "identities_user" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "users_plan_seen" ON "users" USING btree ("plan","seen_at");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_account" ON "connections" USING btree ("user_id","provider","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_current" ON "connections" USING btree ("user_id","provider") WHERE is_current;--> statement-breakpoint
CREATE INDEX "records_newest" ON "records" USING btree ("user_id","connection_id","entity","occurred_at","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "syncs_running" ON "syncs" USING btree ("user_id","connection_id","entity") WHERE status = 'started';--> statement-breakpoint
CREATE INDEX "syncs_newest" ON "syncs" USING btree ("user_id","connection_id","entity","updated_at");--> statement-breakpoint
CREATE INDEX "syncs_leases" ON "syncs" USING btree ("lease_until") WHERE status = 'started';--> statement-breakpoint
CREATE UNIQUE INDEX "categories_title" ON "categories" USING btree ("user_id",lower(title));--> statement-breakpoint
CREATE INDEX "views_base" ON "views" USING btree ("user_id","based_on");--> statement-breakpoint
CREATE INDEX "views_entity" ON "views" USING btree ("user_id","provider","entity");