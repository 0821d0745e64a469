CREATE TABLE "broadcast_channel" (
	"name" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sql_roles" (
	"role" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
