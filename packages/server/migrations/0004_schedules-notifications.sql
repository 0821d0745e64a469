CREATE TABLE "notifications" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"message" text NOT NULL,
	"advice" text NOT NULL,
	"provider" text NOT NULL,
	"entity" text NOT NULL,
	"sync_id" uuid,
	"read_at" timestamp with time zone,
	CONSTRAINT "notifications_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"body" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"sealed" jsonb NOT NULL,
	"last_at" timestamp with time zone,
	"is_delivered" boolean,
	"status" integer,
	"message" text
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"provider" text NOT NULL,
	"every" text NOT NULL,
	"settings" jsonb NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"hindrance" text,
	"running_sync" uuid,
	"failing_since" timestamp with time zone,
	CONSTRAINT "schedules_user_id_connection_id_entity_pk" PRIMARY KEY("user_id","connection_id","entity")
);
--> statement-breakpoint
ALTER TABLE "syncs" ADD COLUMN "is_scheduled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "notifications_newest" ON "notifications" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_at");