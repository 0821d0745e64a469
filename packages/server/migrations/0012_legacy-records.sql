-- Records of all entities were in one table, with documents whose shared parts were kept apart. They are moved to the
-- tables of their entities in the background (`features/records/legacy.ts`); until then they stay here.
ALTER TABLE "records" RENAME TO "legacy_records";--> statement-breakpoint
ALTER TABLE "record_undo" RENAME TO "legacy_record_undo";--> statement-breakpoint
ALTER TABLE "record_parts" RENAME TO "legacy_record_parts";--> statement-breakpoint
ALTER TABLE "record_versions" DROP COLUMN "facets_version";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "whole_document"(owner uuid, connection uuid, of_entity text, stored text, hashes text[]) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
	pieces text[] := string_to_array(stored, chr(1));
	texts text[] := hashes;
	whole text := pieces[1];
	part text;
BEGIN
	FOR place IN 1 .. cardinality(hashes) LOOP
		SELECT p.text INTO part FROM legacy_record_parts p
		WHERE p.user_id = owner AND p.connection_id = connection AND p.entity = of_entity AND p.hash = hashes[place];
		-- One document without a part must not keep all others from being moved.
		texts[place] := coalesce(part, 'null');
	END LOOP;
	-- Each piece but the first begins with the letter of its mark.
	FOR place IN 2 .. cardinality(pieces) LOOP
		whole := whole || texts[ascii(pieces[place]) - 64] || right(pieces[place], -1);
	END LOOP;
	RETURN whole;
END
$$;--> statement-breakpoint
DROP FUNCTION "instant_or_null"(text);--> statement-breakpoint
DROP FUNCTION "integer_or_null"(text);--> statement-breakpoint
DROP FUNCTION "boolean_or_null"(text);--> statement-breakpoint
DROP FUNCTION "number_or_null"(text);
