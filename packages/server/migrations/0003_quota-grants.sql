CREATE TABLE "quota_grants" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"granted_at" timestamp (6) with time zone NOT NULL,
	"units" double precision NOT NULL,
	CONSTRAINT "quota_grants_user_id_connection_id_granted_at_pk" PRIMARY KEY("user_id","connection_id","granted_at")
);
