CREATE TABLE "alert_deliveries" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"alert_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"channel" text NOT NULL,
	"is_test" boolean NOT NULL,
	"title" text NOT NULL,
	"changes" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"outcome" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "alert_deliveries_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "alert_snapshots" (
	"user_id" uuid NOT NULL,
	"alert_id" uuid NOT NULL,
	"rows" "bytea" NOT NULL,
	CONSTRAINT "alert_snapshots_user_id_alert_id_pk" PRIMARY KEY("user_id","alert_id")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"view_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"entity" text NOT NULL,
	"parameters" text,
	"key_field" text,
	"kinds" text[] NOT NULL,
	"digest" text NOT NULL,
	"bell" boolean NOT NULL,
	"email" boolean NOT NULL,
	"sealed" jsonb NOT NULL,
	"is_stale" boolean DEFAULT true NOT NULL,
	"connection_id" uuid,
	"data_key" text,
	"definition" text,
	"compared_at" timestamp with time zone,
	"row_count" integer,
	"problem" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"is_paused" boolean DEFAULT false NOT NULL,
	CONSTRAINT "alerts_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE INDEX "alert_deliveries_newest" ON "alert_deliveries" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "alert_deliveries_age" ON "alert_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "alerts_view" ON "alerts" USING btree ("user_id","view_id");