CREATE TABLE "curve_points" (
	"user_id" uuid NOT NULL,
	"view_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"cause" text NOT NULL,
	"sync_id" uuid,
	"sync_number" integer,
	"is_undone" boolean DEFAULT false NOT NULL,
	"is_redefined" boolean DEFAULT false NOT NULL,
	"values" json NOT NULL,
	CONSTRAINT "curve_points_user_id_view_id_place_pk" PRIMARY KEY("user_id","view_id","place")
);
--> statement-breakpoint
CREATE TABLE "curves" (
	"user_id" uuid NOT NULL,
	"view_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"entity" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"parameters" text,
	"pending" jsonb,
	"definition" text,
	"kind" text,
	"problem" text,
	CONSTRAINT "curves_user_id_view_id_pk" PRIMARY KEY("user_id","view_id")
);
