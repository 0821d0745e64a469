CREATE TABLE "invitations" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"view_id" uuid,
	"board_id" uuid,
	"parameters" text,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"member_id" uuid,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "invitations_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "shared_with" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"accepted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shared_with_user_id_id_pk" PRIMARY KEY("user_id","id")
);
