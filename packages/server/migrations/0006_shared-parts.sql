CREATE TABLE "record_parts" (
	"user_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"hash" text NOT NULL,
	"text" text NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "record_parts_user_id_connection_id_entity_hash_pk" PRIMARY KEY("user_id","connection_id","entity","hash")
);
--> statement-breakpoint
ALTER TABLE "record_undo" ADD COLUMN "parts" text[];--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "parts" text[];--> statement-breakpoint
ALTER TABLE "record_parts" ALTER COLUMN "text" SET STORAGE EXTERNAL;--> statement-breakpoint
-- The document of a row with its shared parts in the places of their marks (see records/shared-parts.ts). Fails rather than leave one out.
CREATE FUNCTION "whole_document"(owner uuid, connection uuid, of_entity text, stored text, hashes text[]) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
	whole text := stored;
	part text;
BEGIN
	FOR place IN 1 .. cardinality(hashes) LOOP
		SELECT p.text INTO STRICT part FROM record_parts p
		WHERE p.user_id = owner AND p.connection_id = connection AND p.entity = of_entity AND p.hash = hashes[place];
		whole := replace(whole, chr(1) || chr(64 + place), part);
	END LOOP;
	RETURN whole;
END
$$;
